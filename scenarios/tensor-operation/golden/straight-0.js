const torch = require('torch');

const response_0 = torch.split(user_tensor_0, 2, 3);
const response_1 = torch.transpose(response_0[2], -4, -1);
const response_2 = torch.permute(response_1, [2, 0, 3, 1]);
const response_3 = torch.permute(response_0[0], [2, 0, 1, 3]);
const response_4 = torch.permute(response_3, [3, 2, 1, 0]);
RESULT = { permuted_1: response_2, permuted_2: response_4 };
