const torch = require('torch');

const response_0 = torch.nn.functional.conv2d(user_tensor_1, user_weight_0, { stride: 2 });
const response_1 = torch.transpose(response_0, 0, 1);
if (response_1.shape[0] === user_constant_0) {
  const response_2 = torch.nn.functional.linear(response_1, user_weight_1);
  const response_3 = torch.nn.functional.conv2d(response_2, response_1, { padding: 'same' });
  const response_4 = torch.cat([response_2, response_3], 1);
  RESULT = { concatenated: response_4 };
} else {
  const response_5 = torch.split(response_1, [1, 1], 3);
  const response_6 = torch.cat([response_5[1], response_5[0], response_1], 3);
  const response_7 = torch.transpose(response_6, 2, 1);
  RESULT = { transposed: response_7 };
}
