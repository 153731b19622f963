! SPDX-License-Identifier: BSD-3-Clause
!
! Loops in Fortran that samples_test.cc looks for; see samples_c.c.
module kernel_module
  implicit none
contains
  subroutine kernel_do(n, x)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: i
    do i = 2, n ! loop do
      x(i) = x(i) / 2 + x(i - 1)
    end do
  end subroutine

  subroutine kernel_do_nested(n, a, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n)
    real(8), intent(in) :: b(n, n)
    integer :: i, j
    do j = 2, n ! loop do_columns
      do i = 2, n ! loop do_rows
        a(i, j) = a(i, j) / 3 + b(i - 1, j) * b(i, j - 1)
      end do
    end do
  end subroutine

  subroutine kernel_do_while(n, x)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: i
    i = 1
    do while (i < n) ! loop do_while
      x(i) = sqrt(x(i)) + i
      i = i + 3
    end do
  end subroutine

  subroutine kernel_array(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: y(n)
    x = x * 2 + y ! loop array
  end subroutine

  subroutine kernel_reduce(n, x, total)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: total
    integer :: i
    total = 0
    do i = 1, n ! loop reduce
      total = total + x(i) * x(i)
    end do
  end subroutine

  subroutine kernel_concurrent(n, x)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: i
    do concurrent (i = 1:n) ! loop concurrent
      x(i) = x(i) * 3 + 1
    end do
  end subroutine
end module

subroutine kernel_external(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n - 1 ! loop external
    if (x(i) > 100) cycle
    x(i + 1) = x(i + 1) * 0.5 + x(i)
  end do
end subroutine

subroutine kernel_omp_do(n, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  !$omp parallel do
  do i = 1, n ! loop omp_do
    x(i) = x(i) * 2 - 1
  end do
  !$omp end parallel do
end subroutine

program samples_fortran
  use, intrinsic :: iso_c_binding, only: c_int
  use kernel_module
  implicit none
  interface
    subroutine begin_trace() bind(c, name="begin_trace")
    end subroutine
    subroutine end_trace() bind(c, name="end_trace")
    end subroutine
    integer(c_int) function size_of_trace() bind(c, name="size_of_trace")
      import :: c_int
    end function
  end interface
  integer :: n
  real(8), allocatable :: x(:), y(:), a(:, :), b(:, :)
  real(8) :: total
  n = size_of_trace()
  allocate (x(n), y(n), a(n, n), b(n, n))
  x = 1
  y = 2
  a = 3
  b = 4
  call begin_trace()
  call kernel_do(n, x)
  call kernel_do_nested(n, a, b)
  call kernel_do_while(n, x)
  call kernel_array(n, x, y)
  call kernel_reduce(n, x, total)
  call kernel_concurrent(n, x)
  call kernel_external(n, x)
  call kernel_omp_do(n, x)
  call end_trace()
  if (x(3) + a(2, 2) + total == 0) stop 1
end program
