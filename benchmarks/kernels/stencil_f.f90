! SPDX-License-Identifier: BSD-3-Clause
!
! The 7-point stencil of stencil.cc in Fortran: same operator, same check, blocks of planes along
! the last dimension. Switches: --n N, --iterations N, --spoil.
program stencil_f
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use mpi_f08
  use omp_lib, only: omp_get_max_threads
  use roofmark
  implicit none
  real(real64), parameter :: centre = 0.4_real64, side = 0.1_real64, tolerance = 1e-12_real64
  real(real64), parameter :: pi = acos(-1.0_real64)
  integer :: n = 256, iterations = 40, rank, ranks, provided, step, status
  logical :: spoil = .false.
  real(real64), allocatable :: u(:, :, :), v(:, :, :), wave(:, :)
  real(real64) :: start, seconds, error, scale

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call read_switches()
  allocate(u(0:n+1, 0:n+1, 0:n+1), v(0:n+1, 0:n+1, 0:n+1), wave(n, 3))
  call fill()
  call MPI_Barrier(MPI_COMM_WORLD)
  start = MPI_Wtime()
  do step = 1, iterations
    call roofmark_begin("halo")
    call exchange(u)
    call roofmark_end("halo")
    call roofmark_begin("stencil")
    call sweep(u, v)
    call roofmark_work(8 * int(n, c_int64_t)**3, 24 * int(n, c_int64_t)**3)
    call roofmark_end("stencil")
    call swap()
  end do
  seconds = MPI_Wtime() - start
  if (spoil .and. rank == ranks - 1) u(n, n, n) = u(n, n, n) + 1
  error = largest_error()
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  call MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  status = merge(0, 1, error <= tolerance)
  if (rank == 0) call report()
  call MPI_Finalize()
  if (status /= 0) stop 1, quiet=.true.

contains

  subroutine read_switches()
    character(len=32) :: word
    integer :: at
    at = 1
    do while (at <= command_argument_count())
      call get_command_argument(at, word)
      select case (word)
      case ("--n")
        n = count_after(at)
      case ("--iterations")
        iterations = count_after(at)
      case ("--spoil")
        spoil = .true.
      case default
        call refuse("wrong switch: " // trim(word))
      end select
      at = at + 1
    end do
  end subroutine

  ! The positive number after the switch at `at`, which moves onto it.
  integer function count_after(at) result(number)
    integer, intent(inout) :: at
    character(len=32) :: word
    integer :: failed
    at = at + 1
    call get_command_argument(at, word)
    read (word, *, iostat=failed) number
    if (failed /= 0) number = 0
    if (number <= 0) call refuse("not a positive number: " // trim(word))
  end function

  subroutine refuse(what)
    character(len=*), intent(in) :: what
    if (rank == 0) write (error_unit, "(2a)") "stencil_f: ", what
    call MPI_Finalize()
    stop 2, quiet=.true.
  end subroutine

  subroutine fill()
    integer :: d, i, j, k, offset
    real(real64) :: sizes(3), eigenvalue
    sizes = real([n, n, n * ranks], real64)
    eigenvalue = centre
    do d = 1, 3
      offset = merge(n * rank, 0, d == 3)
      wave(:, d) = [(cos(2 * pi * d * (offset + i) / sizes(d) + 0.3_real64 * d), i = 1, n)]
      eigenvalue = eigenvalue + 2 * side * cos(2 * pi * d / sizes(d))
    end do
    scale = eigenvalue**iterations
    ! Touched plane by plane by the threads that will sweep them.
    u(:, :, [0, n + 1]) = 0
    v(:, :, [0, n + 1]) = 0
    !$omp parallel do schedule(static) private(i, j)
    do k = 1, n
      u(:, :, k) = 0
      v(:, :, k) = 0
      do j = 1, n
        do i = 1, n
          u(i, j, k) = wave(i, 1) * wave(j, 2) * wave(k, 3)
        end do
      end do
    end do
  end subroutine

  ! Halo planes from the neighbours in the ring of ranks; the other two dimensions are whole here.
  subroutine exchange(a)
    real(real64), intent(inout), asynchronous :: a(0:n+1, 0:n+1, 0:n+1)
    integer :: up, down, count, k
    up = modulo(rank + 1, ranks)
    down = modulo(rank - 1, ranks)
    count = (n + 2)**2
    call MPI_Sendrecv(a(0, 0, n), count, MPI_DOUBLE_PRECISION, up, 0, a(0, 0, 0), count, &
                      MPI_DOUBLE_PRECISION, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(a(0, 0, 1), count, MPI_DOUBLE_PRECISION, down, 1, a(0, 0, n + 1), count, &
                      MPI_DOUBLE_PRECISION, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    !$omp parallel do schedule(static)
    do k = 1, n
      a(0, :, k) = a(n, :, k)
      a(n + 1, :, k) = a(1, :, k)
      a(:, 0, k) = a(:, n, k)
      a(:, n + 1, k) = a(:, 1, k)
    end do
  end subroutine

  subroutine sweep(a, b)
    real(real64), intent(in) :: a(0:n+1, 0:n+1, 0:n+1)
    real(real64), intent(inout) :: b(0:n+1, 0:n+1, 0:n+1)
    integer :: i, j, k
    !$omp parallel do schedule(static) private(i, j)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          b(i, j, k) = centre * a(i, j, k) + side * (a(i-1, j, k) + a(i+1, j, k) + &
                       a(i, j-1, k) + a(i, j+1, k) + a(i, j, k-1) + a(i, j, k+1))
        end do
      end do
    end do
  end subroutine

  subroutine swap()
    real(real64), allocatable :: old(:, :, :)
    call move_alloc(u, old)
    call move_alloc(v, u)
    call move_alloc(old, v)
  end subroutine

  real(real64) function largest_error() result(largest)
    integer :: i, j, k
    real(real64) :: now
    largest = 0
    do k = 1, n
      do j = 1, n
        do i = 1, n
          now = abs(u(i, j, k) - scale * wave(i, 1) * wave(j, 2) * wave(k, 3))
          if (.not. now <= largest) largest = now  ! keeps a NaN
        end do
      end do
    end do
    if (.not. largest <= huge(largest)) largest = huge(largest)
  end function

  subroutine report()
    if (status /= 0) then
      write (error_unit, "(a, es9.2, a, es9.2)") "stencil_f: wrong result: deviates by ", error, &
        " from the closed form, allowed ", tolerance
    else
      write (*, "(a, i0, a, i0, a, i0, a, i0, a, f0.3, a, f0.2, a)") "stencil_f: n ", n, ", ", &
        iterations, " iterations, ", ranks, " ranks x ", omp_get_max_threads(), " threads: ", &
        seconds, " s, ", 8 * real(n, real64)**3 * iterations * ranks / seconds * 1e-9, &
        " GFLOP/s, result checked"
    end if
  end subroutine

end program
