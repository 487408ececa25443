const torch = require('torch');

const response_0 = torch.transpose(user_tensor_1, -4, 3);
if (response_0.shape.length === user_constant_0) {
  const response_1 = torch.permute(user_tensor_0, [3, 0, 2, 1]);
  const response_2 = torch.permute(user_tensor_0, [2, 1, 3, 0]);
  const response_3 = torch.nn.functional.conv2d(response_2, response_0, { padding: 'same' });
  const response_4 = torch.nn.functional.linear(response_3, user_weight_0);
  RESULT = { permuted: response_1, linear_output: response_4 };
} else {
  const response_5 = torch.cat([user_tensor_1, user_tensor_0], 2);
  const response_6 = torch.nn.functional.conv2d(response_5, user_weight_1, { stride: 2, dilation: 2 });
  const response_7 = torch.nn.functional.conv2d(response_6, user_weight_2, { bias: user_bias_0, stride: 2, padding: 1, dilation: 2 });
  const response_8 = torch.transpose(response_0, 2, 0);
  RESULT = { convolved: response_7, transposed: response_8 };
}
