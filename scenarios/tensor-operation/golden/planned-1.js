const torch = require('torch');

const response_0 = torch.nn.functional.linear(user_tensor_1, user_weight_0);
if (response_0.shape.length === user_constant_0) {
  const response_1 = torch.nn.functional.linear(response_0, user_weight_1);
  const response_2 = torch.transpose(user_tensor_1, -1, 1);
  const response_3 = torch.cat([response_2, response_0], 1);
  const response_4 = torch.nn.functional.linear(user_tensor_0, user_weight_0);
  RESULT = { linear_output_1: response_1, concatenated: response_3, linear_output_2: response_4 };
} else {
  const response_5 = torch.permute(response_0, [3, 2, 0, 1]);
  const response_6 = torch.permute(response_5, [3, 2, 1, 0]);
  const response_7 = torch.nn.functional.conv2d(response_0, response_5, { bias: user_bias_0, stride: 2 });
  const response_8 = torch.nn.functional.linear(response_7, user_weight_2);
  RESULT = { permuted: response_6, linear_output: response_8 };
}
