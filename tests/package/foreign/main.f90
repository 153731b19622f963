program main
  use roofmark
  implicit none
  real(8), volatile :: total
  integer :: i
  total = 0
  call roofmark_begin("loop")
  do i = 1, 1000
    total = total + 1d0
  end do
  call roofmark_end("loop")
  if (total /= 1000d0) stop 1
end program main
