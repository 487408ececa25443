const torch = require('torch');

const response_0 = torch.split(user_tensor_0, 1, 0);
const response_1 = torch.split(user_tensor_1, 4, 3);
const response_2 = torch.permute(response_0[1], [2, 1, 3, 0]);
const response_3 = torch.transpose(response_1[0], 2, 3);
if (response_3.shape[3] === user_constant_0) {
  const response_4 = torch.transpose(response_2, 2, 0);
  RESULT = { transposed: response_4 };
} else {
  const response_5 = torch.split(response_2, [1, 1, 1, 3], 2);
  RESULT = { pieces: response_5 };
}
