const torch = require('torch');

const response_0 = torch.cat([user_tensor_0, user_tensor_1], -2);
if (response_0.shape.length === user_constant_0) {
  const response_1 = torch.split(user_tensor_1, [1, 1], -2);
  const response_2 = torch.nn.functional.linear(response_1[0], user_weight_0);
  const response_3 = torch.split(response_2, [1, 1], 1);
  const response_4 = torch.transpose(response_1[1], -4, 1);
  RESULT = { pieces: response_3, transposed: response_4 };
} else {
  const response_5 = torch.transpose(response_0, 0, 2);
  const response_6 = torch.transpose(user_tensor_1, 3, 2);
  const response_7 = torch.transpose(response_5, -2, 1);
  const response_8 = torch.nn.functional.linear(response_6, user_weight_1);
  RESULT = { transposed: response_7, linear_output: response_8 };
}
