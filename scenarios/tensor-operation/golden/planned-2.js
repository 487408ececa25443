const torch = require('torch');

const response_0 = torch.transpose(user_tensor_1, -2, -3);
const response_1 = torch.split(user_tensor_2, [1, 1], 2);
const response_2 = torch.permute(response_1[0], [2, 0, 1]);
const response_3 = torch.transpose(response_2, -2, -3);
if (response_3.shape[1] === user_constant_0) {
  const response_4 = torch.transpose(user_tensor_1, 3, 1);
  RESULT = { transposed_1: response_0, transposed_2: response_4 };
} else {
  const response_5 = torch.permute(response_0, [0, 2, 3, 1]);
  RESULT = { permuted: response_5 };
}
