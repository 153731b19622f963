! SPDX-License-Identifier: BSD-3-Clause
! What calls of the subroutines of LIKWID's Fortran module become: external procedures.
program likwid_fortran
  implicit none
  character(len=12) :: padded
  integer :: events, times
  double precision :: values(4), seconds

  padded = "padded"
  call likwid_markerInit()
  call likwid_markerThreadInit()
  call likwid_markerRegisterRegion("outer")
  call likwid_markerStartRegion("outer")
  call likwid_markerStartRegion(padded)
  call likwid_markerStopRegion(padded)
  call likwid_markerStopRegion("outer")
  call likwid_markerNextGroup()
  events = 4
  call likwid_markerGetRegion("outer", events, values, seconds, times)
  call likwid_markerResetRegion("outer")
  call likwid_markerClose()
  print *, "done"
end program
