import torch

response_0 = torch.transpose(user_tensor_0, -3, 2)
if len(response_0.shape) == user_constant_0:
    response_1 = torch.permute(user_tensor_1, [3, 1, 0, 2])
    response_2 = torch.cat([user_tensor_0, user_tensor_1], 2)
    response_3 = torch.nn.functional.conv2d(response_2, response_1)
    response_4 = torch.nn.functional.conv2d(response_3, user_weight_0, stride=[1, 2], padding=1, dilation=2)
    RESULT = {"convolved": response_4}
else:
    response_5 = torch.transpose(user_tensor_1, 3, -3)
    response_6 = torch.nn.functional.conv2d(response_0, user_weight_1, padding=1, dilation=2)
    response_7 = torch.permute(response_6, [1, 3, 2, 0])
    response_8 = torch.transpose(user_tensor_0, 1, 3)
    RESULT = {"transposed_1": response_5, "permuted": response_7, "transposed_2": response_8}
