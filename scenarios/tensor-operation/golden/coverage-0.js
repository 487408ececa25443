const torch = require('torch');

const response_0 = torch.cat([user_tensor_1, user_tensor_0], 1);
const response_1 = torch.transpose(response_0, 0, 3);
if (torch.argmax(response_1).item() === user_constant_0) {
  const response_2 = torch.split(response_1, [2, 1, 1], 2);
  const response_3 = torch.cat([response_2[0], response_2[2], response_1], 2);
  const response_4 = torch.nn.functional.conv2d(response_3, response_2[2]);
  RESULT = { convolved: response_4 };
} else {
  const response_5 = torch.nn.functional.conv2d(response_1, user_weight_0);
  const response_6 = torch.permute(user_tensor_0, [3, 1, 0, 2]);
  const response_7 = torch.transpose(response_6, 2, 0);
  RESULT = { convolved: response_5, transposed: response_7 };
}
