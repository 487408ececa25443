import torch

response_0 = torch.cat([user_tensor_1, user_tensor_0], 1)
response_1 = torch.permute(user_tensor_0, [1, 3, 0, 2])
if response_1.shape[3] == user_constant_0:
    response_2 = torch.permute(response_1, [1, 2, 0, 3])
    response_3 = torch.nn.functional.linear(response_2, user_weight_0)
    response_4 = torch.cat([response_3, response_2], 0)
    RESULT = {"concatenated_1": response_0, "concatenated_2": response_4}
else:
    response_5 = torch.transpose(response_0, 1, 0)
    response_6 = torch.nn.functional.conv2d(response_1, user_weight_1)
    response_7 = torch.permute(response_5, [2, 0, 1, 3])
    RESULT = {"convolved": response_6, "permuted": response_7}
