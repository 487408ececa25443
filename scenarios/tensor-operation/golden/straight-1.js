const torch = require('torch');

const response_0 = torch.split(user_tensor_0, 1, 1);
const response_1 = torch.transpose(response_0[0], 3, 1);
const response_2 = torch.transpose(response_1, 1, -4);
const response_3 = torch.nn.functional.conv2d(user_tensor_1, user_weight_0, { bias: user_bias_0, padding: 1 });
const response_4 = torch.cat([response_3, user_tensor_2], 1);
RESULT = { transposed: response_2, concatenated: response_4 };
