# Runs a command in a new network namespace, which has only a loopback device, and that is down.
import fcntl, os, socket, struct, sys

SIOCSIFFLAGS, IFF_UP = 0x8914, 1
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
    fcntl.ioctl(device, SIOCSIFFLAGS, struct.pack("16sh", b"lo", IFF_UP))
os.execv(sys.argv[1], sys.argv[1:])
