const torch = require('torch');

const response_0 = torch.cat([user_tensor_0, user_tensor_1], 2);
const response_1 = torch.transpose(user_tensor_1, 3, 2);
const response_2 = torch.cat([response_0, response_1], 3);
const response_3 = torch.nn.functional.conv2d(user_tensor_1, user_weight_0, { bias: user_bias_0, padding: 'valid' });
const response_4 = torch.nn.functional.conv2d(response_3, user_weight_1, { padding: 'same' });
RESULT = { concatenated: response_2, convolved: response_4 };
