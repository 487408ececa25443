import torch

response_0 = torch.nn.functional.conv2d(user_tensor_1, user_weight_0, groups=2)
if len(response_0.shape) == user_constant_0:
    response_1 = torch.transpose(user_tensor_0, 2, 1)
    response_2 = torch.permute(response_1, [1, 3, 0, 2])
    response_3 = torch.nn.functional.conv2d(response_2, user_weight_1, bias=user_bias_0, stride=2, padding="valid", groups=2)
    response_4 = torch.nn.functional.conv2d(response_1, response_3, bias=user_bias_0, stride=2, padding="valid")
    RESULT = {"convolved": response_4}
else:
    response_5 = torch.permute(response_0, [2, 0, 3, 1])
    response_6 = torch.split(response_5, 1, 0)
    response_7 = torch.cat([response_5, response_6[0]])
    response_8 = torch.split(response_7, 3, 3)
    RESULT = {"pieces": response_8}
