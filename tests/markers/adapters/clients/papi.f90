! SPDX-License-Identifier: BSD-3-Clause
program papi_fortran
  implicit none
  character(len=12) :: padded
  integer :: check

  padded = "padded"
  check = -1
  call papif_hl_region_begin("outer", check)
  call papif_hl_region_begin(padded, check)
  call papif_hl_read(padded, check)
  call papif_hl_region_end(padded, check)
  call papif_hl_region_end("outer", check)
  call papif_hl_stop(check)
  print *, "check", check
end program
