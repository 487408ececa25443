const torch = require('torch');

const response_0 = torch.cat([user_tensor_1, user_tensor_0], 1);
const response_1 = torch.permute(user_tensor_0, [1, 3, 0, 2]);
const response_2 = torch.permute(response_1, [1, 2, 0, 3]);
const response_3 = torch.nn.functional.linear(response_2, user_weight_0);
const response_4 = torch.cat([response_3, response_2], 0);
RESULT = { concatenated_1: response_0, concatenated_2: response_4 };
