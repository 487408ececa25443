import torch

response_0 = torch.cat([user_tensor_1, user_tensor_0])
response_1 = torch.transpose(response_0, 2, 1)
response_2 = torch.transpose(response_1, 0, 2)
if response_2.shape[2] == user_constant_0:
    response_3 = torch.split(response_2, 2, -3)
    if len(response_3) == user_constant_1:
        response_4 = torch.cat([response_3[0], response_3[1], response_2], 1)
        RESULT = {"concatenated": response_4}
    else:
        response_5 = torch.split(response_3[0], [1, 1])
        RESULT = {"pieces": response_5}
else:
    response_6 = torch.nn.functional.conv2d(response_0, user_weight_0)
    if response_6.shape[1] == user_constant_2:
        response_7 = torch.transpose(response_6, 2, -1)
        RESULT = {"transposed_1": response_2, "transposed_2": response_7}
    else:
        response_8 = torch.nn.functional.conv2d(response_1, user_weight_1, groups=2, padding=1)
        RESULT = {"transposed": response_2, "convolved_1": response_6, "convolved_2": response_8}
