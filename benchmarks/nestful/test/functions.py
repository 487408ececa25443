"""The 40 basic functions of version 2 in Python, with the semantics that are documented of them."""
import math


def add(arg_0, arg_1):
    return arg_0 + arg_1


def subtract(arg_0, arg_1):
    return arg_0 - arg_1


def multiply(arg_0, arg_1):
    return arg_0 * arg_1


def divide(arg_0, arg_1):
    return arg_0 / arg_1


def power(base, exponent):
    return base**exponent


def sqrt(num):
    return math.isqrt(num)


def log(x, base=math.e):
    return int(math.log(x, base))


def floor(x):
    return math.floor(x)


def remainder(a, b):
    return a % b


def reminder(a, b):
    return a % b


def gcd(arg_0, arg_1):
    return math.gcd(int(arg_0), int(arg_1))


def lcm(a, b):
    return abs(a * b) // math.gcd(int(a), int(b))


def factorial(n):
    return math.factorial(n)


def choose(n, r):
    return math.comb(n, r)


def permutation(n, r):
    return math.perm(n, r)


def negate(number):
    return -number


def inverse(number):
    return 1 / number


def negate_prob(prob):
    return 1 - prob


def max_number(numbers):
    return max(numbers)


def min_number(numbers):
    return min(numbers)


def speed(distance, time):
    return distance / time


def circle_area(radius):
    return math.pi * radius**2


def circumface(radius):
    return 2 * math.pi * radius


def surface_sphere(radius):
    return 4 * math.pi * radius**2


def volume_sphere(radius):
    return (4 / 3) * math.pi * radius**3


def volume_cylinder(radius, height):
    return math.pi * radius**2 * height


def volume_cone(radius, height):
    return (1 / 3) * math.pi * radius**2 * height


def surface_cylinder(radius, height):
    return 2 * math.pi * radius * (radius + height)


def volume_cube(side_length):
    return side_length**3


def surface_cube(side_length):
    return 6 * side_length**2


def cube_edge_by_volume(volume):
    return volume ** (1 / 3)


def square_area(side):
    return side**2


def square_perimeter(side_length):
    return 4 * side_length


def square_edge_by_area(area):
    return math.sqrt(area)


def square_edge_by_perimeter(perimeter):
    return perimeter / 4


def rectangle_area(length, width):
    return length * width


def rectangle_perimeter(length, width):
    return 2 * (length + width)


def diagonal(length, width):
    return math.sqrt(length**2 + width**2)


def rhombus_area(diagonal1, diagonal2):
    return (diagonal1 * diagonal2) / 2


def triangle_area(base, height):
    return (base * height) / 2
