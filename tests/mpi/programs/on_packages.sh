#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# on_packages.sh LAYOUT PROGRAM...: one rank of a job on the virtual machine's CPUs. LAYOUT has a
# letter for each rank: a runs on package 0, b on package 1, c on both.
layout=$1
shift
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
case $(printf %s "$layout" | cut -c $((rank + 1))) in
  a) export VPMU_CPUS=0-3 ;;
  b) export VPMU_CPUS=4-7 ;;
  c) export VPMU_CPUS=0-7 ;;
esac
exec "$@"
