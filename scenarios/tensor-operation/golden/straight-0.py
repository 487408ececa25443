import torch

response_0 = torch.nn.functional.conv2d(user_tensor_1, user_weight_0, stride=2)
response_1 = torch.transpose(response_0, 0, 1)
response_2 = torch.nn.functional.linear(response_1, user_weight_1)
response_3 = torch.nn.functional.conv2d(response_2, response_1, padding="same")
response_4 = torch.cat([response_2, response_3], 1)
RESULT = {"concatenated": response_4}
