const torch = require('torch');

const response_0 = torch.cat([user_tensor_1, user_tensor_0]);
const response_1 = torch.nn.functional.linear(user_tensor_0, user_weight_0, { bias: user_bias_0 });
if (response_1.shape[3] === user_constant_0) {
  const response_2 = torch.nn.functional.conv2d(response_1, user_weight_1, { bias: user_bias_1, stride: [2, 1] });
  const response_3 = torch.split(response_0, 3, -1);
  const response_4 = torch.cat([response_0, response_3[1]], 3);
  RESULT = { convolved: response_2, concatenated: response_4 };
} else {
  const response_5 = torch.permute(response_1, [2, 0, 1, 3]);
  const response_6 = torch.nn.functional.linear(response_5, user_weight_0, { bias: user_bias_0 });
  const response_7 = torch.cat([response_5, response_6], -3);
  RESULT = { concatenated_1: response_0, concatenated_2: response_7 };
}
