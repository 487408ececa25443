import torch

response_0 = torch.permute(user_tensor_0, [1, 0, 3, 2])
response_1 = torch.permute(response_0, [3, 0, 2, 1])
response_2 = torch.nn.functional.linear(response_1, user_weight_0)
response_3 = torch.permute(user_tensor_1, [0, 3, 1, 2])
response_4 = torch.nn.functional.conv2d(response_2, user_weight_1, bias=user_bias_0, stride=2, padding=[0, 1])
RESULT = {"permuted": response_3, "convolved": response_4}
