import torch

response_0 = torch.cat([user_tensor_0, user_tensor_1], 0)
response_1 = torch.permute(user_tensor_2, [1, 2, 0])
response_2 = torch.split(user_tensor_0, 2, 3)
response_3 = torch.transpose(response_2[0], 0, 1)
if response_3.shape[3] == user_constant_0:
    response_4 = torch.cat([response_0, user_tensor_1])
    RESULT = {"permuted": response_1, "concatenated": response_4}
else:
    response_5 = torch.split(response_0, 3, 1)
    RESULT = {"permuted": response_1, "pieces": response_5}
