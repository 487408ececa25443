const torch = require('torch');

const response_0 = torch.split(user_tensor_0, [3, 1, 1, 1], 1);
const response_1 = torch.split(response_0[3], 3, 2);
const response_2 = torch.permute(response_1[2], [2, 3, 1, 0]);
const response_3 = torch.nn.functional.linear(user_tensor_1, user_weight_0);
if (response_3.shape[3] === user_constant_0) {
  const response_4 = torch.split(user_tensor_0, 1);
  RESULT = { permuted: response_2, pieces: response_4 };
} else {
  const response_5 = torch.nn.functional.linear(response_3, user_weight_1);
  RESULT = { permuted: response_2, linear_output: response_5 };
}
