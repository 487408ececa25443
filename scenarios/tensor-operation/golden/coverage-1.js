const torch = require('torch');

const response_0 = torch.nn.functional.linear(user_tensor_1, user_weight_0);
if (response_0.shape.length === user_constant_0) {
  const response_1 = torch.transpose(response_0, 0, 3);
  const response_2 = torch.nn.functional.conv2d(response_1, user_weight_1, { bias: user_bias_0, groups: 2 });
  const response_3 = torch.nn.functional.conv2d(user_tensor_0, user_weight_1, { stride: [1, 2], groups: 2 });
  const response_4 = torch.cat([response_1, response_2], -3);
  RESULT = { convolved: response_3, concatenated: response_4 };
} else {
  const response_5 = torch.nn.functional.conv2d(response_0, user_weight_2, { padding: 1 });
  const response_6 = torch.nn.functional.linear(response_5, user_weight_3);
  const response_7 = torch.split(response_6, [2, 1], 2);
  const response_8 = torch.cat([response_7[0], response_7[1], response_6], 2);
  RESULT = { concatenated: response_8 };
}
