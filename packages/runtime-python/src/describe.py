"""Tells, as JSON, what must be in a jail so that this interpreter runs there with requests and, where present, numpy and torch."""

import importlib.metadata
import importlib.util
import json
import os
import re
import site
import sys
import sysconfig

WANTED = ("requests", "numpy", "torch")


def standard_library():
    return os.path.realpath(sysconfig.get_path("stdlib", "posix_prefix" if "posix_prefix" in sysconfig.get_scheme_names() else None))


def is_site(path):
    return re.search(r"/(site|dist)-packages(/|$)", path) is not None


def place(name):
    """Where a package stands: its folder, or its one file. None for what belongs to the interpreter."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    found = os.path.dirname(spec.origin) if spec.origin and os.path.basename(spec.origin).startswith("__init__.") else spec.origin
    if found is None and spec.submodule_search_locations:
        found = list(spec.submodule_search_locations)[0]
    return found if found and os.path.isabs(found) and is_site(found) else None


def distribution_parts(name, seen):
    """Top-level names of a distribution and of all that it requires."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in seen:
        return
    seen.add(key)
    try:
        found = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return
    for file in found.files or []:
        first = file.parts[0]
        if not first.startswith((".", "__")) and not first.endswith((".dist-info", ".egg-info", ".pth")):
            yield first, os.path.join(str(found.locate_file("")), first)
    for requirement in found.requires or []:
        if "extra ==" not in requirement:
            yield from distribution_parts(re.match(r"[A-Za-z0-9._-]+", requirement).group(), seen)


def main():
    versions, packages, known, broken = {}, {}, set(), []
    for wanted in WANTED:
        try:
            versions[wanted] = str(__import__(wanted).__version__).partition("+")[0]
        except Exception as error:
            # It is there and cannot be loaded, as in the middle of its installation.
            if getattr(error, "name", None) != wanted:
                broken.append(wanted)
            continue
        found = {path for _, path in distribution_parts(wanted, set()) if os.path.exists(path)}
        for name in {module.partition(".")[0] for module in sys.modules}:
            # What setuptools has put into every start of Python is no part of these packages.
            if name != "_distutils_hack":
                found.add(place(name))
        packages[wanted] = sorted(found - known - {None})
        if wanted == "torch" and sys.modules["torch"].version.cuda:
            versions["torch.cuda"] = str(sys.modules["torch"].version.cuda)
        known |= found
    authorities = None
    if "requests" in versions:
        import requests

        authorities = requests.certs.where()
    library = standard_library()
    json.dump(
        {
            "executable": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
            "prefix": os.path.realpath(sys.base_prefix),
            "library": library,
            "version": sys.version.split()[0],
            "versions": versions,
            "packages": packages,
            "broken": broken,
            "searched": sorted({path for path in [*site.getsitepackages(), *sys.path] if is_site(path)}),
            "authorities": authorities if authorities and os.path.isfile(authorities) else None,
        },
        sys.stdout,
    )


main()
