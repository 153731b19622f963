#include <roofmark/mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ROOF_REGION_BEGIN("loop");
  ROOF_REGION_END("loop");
  const int reduced = roofmark_reduce(MPI_COMM_WORLD);
  MPI_Finalize();
  return reduced == ROOFMARK_REDUCED ? 0 : 1;
}
