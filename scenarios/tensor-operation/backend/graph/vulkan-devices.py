"""Prints Vulkan's devices as JSON, the one that WebGPU takes first: name, driver, type."""

import ctypes
import json

TYPES = ["other", "integrated", "discrete", "virtual", "cpu"]
#: Of high performance first, as ONNX Runtime asks for one.
ORDER = ["discrete", "integrated", "virtual", "other", "cpu"]

vulkan = ctypes.CDLL("libvulkan.so.1")


class ApplicationInfo(ctypes.Structure):
    _fields_ = [
        ("sType", ctypes.c_int),
        ("pNext", ctypes.c_void_p),
        ("pApplicationName", ctypes.c_char_p),
        ("applicationVersion", ctypes.c_uint32),
        ("pEngineName", ctypes.c_char_p),
        ("engineVersion", ctypes.c_uint32),
        ("apiVersion", ctypes.c_uint32),
    ]


class InstanceCreateInfo(ctypes.Structure):
    _fields_ = [
        ("sType", ctypes.c_int),
        ("pNext", ctypes.c_void_p),
        ("flags", ctypes.c_uint32),
        ("pApplicationInfo", ctypes.POINTER(ApplicationInfo)),
        ("enabledLayerCount", ctypes.c_uint32),
        ("ppEnabledLayerNames", ctypes.c_void_p),
        ("enabledExtensionCount", ctypes.c_uint32),
        ("ppEnabledExtensionNames", ctypes.c_void_p),
    ]


class Properties(ctypes.Structure):
    """VkPhysicalDeviceProperties; what comes after the name is not read."""

    _fields_ = [
        ("apiVersion", ctypes.c_uint32),
        ("driverVersion", ctypes.c_uint32),
        ("vendorID", ctypes.c_uint32),
        ("deviceID", ctypes.c_uint32),
        ("deviceType", ctypes.c_int),
        ("deviceName", ctypes.c_char * 256),
        ("rest", ctypes.c_uint64 * 256),
    ]


class DriverProperties(ctypes.Structure):
    _fields_ = [
        ("sType", ctypes.c_int),
        ("pNext", ctypes.c_void_p),
        ("driverID", ctypes.c_int),
        ("driverName", ctypes.c_char * 256),
        ("driverInfo", ctypes.c_char * 256),
        ("conformance", ctypes.c_uint8 * 4),
    ]


class Properties2(ctypes.Structure):
    _fields_ = [("sType", ctypes.c_int), ("pNext", ctypes.c_void_p), ("properties", Properties)]


def must(result, what):
    if result != 0:
        raise SystemExit(f"{what}: {result}")


application = ApplicationInfo(0, None, b"stateeval", 1, None, 0, (1 << 22) | (1 << 12))
instance = ctypes.c_void_p()
create = InstanceCreateInfo(1, None, 0, ctypes.pointer(application), 0, None, 0, None)
must(vulkan.vkCreateInstance(ctypes.byref(create), None, ctypes.byref(instance)), "vkCreateInstance")
count = ctypes.c_uint32()
must(vulkan.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), None), "vkEnumeratePhysicalDevices")
handles = (ctypes.c_void_p * count.value)()
must(vulkan.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), handles), "vkEnumeratePhysicalDevices")
vulkan.vkGetPhysicalDeviceProperties2.restype = None

devices = []
for handle in handles:
    driver = DriverProperties(1000196000, None)
    told = Properties2(1000059001, ctypes.cast(ctypes.pointer(driver), ctypes.c_void_p))
    vulkan.vkGetPhysicalDeviceProperties2(ctypes.c_void_p(handle), ctypes.byref(told))
    kind = told.properties.deviceType
    words = f"{driver.driverName.decode(errors='replace')} {driver.driverInfo.decode(errors='replace')}".strip()
    devices.append(
        {
            "name": told.properties.deviceName.decode(errors="replace"),
            "driver": words or str(told.properties.driverVersion),
            "type": TYPES[kind] if 0 <= kind < len(TYPES) else "other",
        }
    )
print(json.dumps(sorted(devices, key=lambda device: ORDER.index(device["type"]))))
