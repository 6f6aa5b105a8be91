#!/bin/bash
# Installs Ultralytics with PyTorch on a computer without a GPU: cpu_torch.sh FOLDER
#
# The wheel of PyTorch on PyPI is linked with CUDA, whose wheels take gigabytes. This script builds empty libraries with
# the names and symbol versions that the wheel is linked with. PyTorch then finds no GPU and runs on the CPU.
# Afterwards: LD_LIBRARY_PATH=FOLDER/stubs FOLDER/env/bin/python ultralytics_exports.py OUT
set -euo pipefail
folder=$1
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --no-deps torch torchvision ultralytics ultralytics-thop onnx onnxruntime onnxslim \
  onnxconverter-common numpy scipy typing_extensions sympy mpmath networkx jinja2 markupsafe fsspec filelock pyyaml \
  opencv-python-headless pillow requests urllib3 idna certifi charset-normalizer psutil matplotlib contourpy cycler \
  fonttools kiwisolver pyparsing python-dateutil six packaging polars protobuf ml_dtypes flatbuffers setuptools
libraries=$(echo "$folder"/env/lib/python3*/site-packages/torch/lib)
mkdir -p "$folder/stubs"
cd "$folder/stubs"
nm -D --undefined-only "$libraries"/*.so | awk '{ print $2 }' | sort -u > undefined
wanted=$(for file in "$libraries"/*.so; do readelf -d "$file"; done | sed -n 's/.*NEEDED.*\[\(lib\(cu\|nccl\|nv\).*\)\]/\1/p' | sort -u)

# stub LIBRARY VERSION SYMBOLS: all functions return an error
stub() {
  { echo 'int failing(void) { return 100; }'
    sort -u "$3" | while read -r name; do echo "int $name(void) __attribute__((alias(\"failing\")));"; done; } > stub.c
  if [ -n "$2" ]; then
    echo "$2 { global: *; };" > versions
    gcc -shared -fPIC -w -o "$1" "-Wl,-soname,$1" -Wl,--version-script=versions stub.c
  else
    gcc -shared -fPIC -w -o "$1" "-Wl,-soname,$1" stub.c
  fi
}

for library in $wanted; do
  name=${library%%.so*}
  case $name in
    libcudart) symbols='_*cuda' ;;
    libcufile) symbols='cuFile' ;;
    libcuda) symbols='cu[A-Z]' ;;
    libcusparseLt) symbols='cusparseLt' ;;
    libnvshmem_host) symbols='nvshmem' ;;
    *) symbols=${name#lib} ;;
  esac
  version=$(sed -n 's/.*@//p' undefined | sort -u | grep -i "^\(lib\)\?${symbols//_\*/lib}.*" | head -1 || true)
  case $name in libcudart) version=$(sed -n 's/.*@//p' undefined | grep -m1 '^libcudart' || true) ;; esac
  if [ -n "$version" ]; then grep "@$version\$" undefined | sed 's/@.*//' > names
  else grep -v '@' undefined | grep "^$symbols" > names || true; fi
  stub "$library" "$version" names
done
