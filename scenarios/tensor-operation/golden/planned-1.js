const torch = require('torch');

const response_0 = torch.nn.functional.conv2d(user_tensor_1, user_weight_0, { bias: user_bias_0, padding: 1 });
if (torch.argmin(response_0).item() === user_constant_0) {
  const response_1 = torch.split(user_tensor_1, 1, 2);
  const response_2 = torch.nn.functional.linear(user_tensor_0, user_weight_1);
  const response_3 = torch.nn.functional.linear(response_2, user_weight_2);
  const response_4 = torch.transpose(response_1[0], 1, 2);
  RESULT = { convolved: response_0, linear_output: response_3, transposed: response_4 };
} else {
  const response_5 = torch.transpose(response_0, 2, -4);
  const response_6 = torch.permute(user_tensor_0, [-1, 2, 0, 1]);
  const response_7 = torch.permute(user_tensor_1, [1, 0, 3, 2]);
  const response_8 = torch.nn.functional.conv2d(response_5, response_6);
  RESULT = { permuted: response_7, convolved: response_8 };
}
