! SPDX-License-Identifier: BSD-3-Clause
module sample_solver
contains
  subroutine sweep(values)
    real(8), intent(inout) :: values(:)
    integer :: i
    do i = 2, size(values)
      values(i) = values(i) + values(i - 1)
    end do
  end subroutine
end module

subroutine sample_outer(values, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: values(n)
  values = values * 2
end subroutine
