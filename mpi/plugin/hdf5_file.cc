// SPDX-License-Identifier: BSD-3-Clause
//
// DetailFile by parallel HDF5. Datasets are contiguous, allocated at once and never filled, so that
// a row is one write at its place. Texts are of fixed length: parallel HDF5 writes no others.
#include <hdf5.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "mpi/ranks_file/plugin.h"

namespace roofmark::mpi {
namespace {

// Closes what it holds.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { Close(); }
  bool Close() {
    const bool closed = id_ < 0 || close_(id_) >= 0;
    id_ = -1;
    return closed;
  }
  operator hid_t() const { return id_; }  // NOLINT: HDF5's own type

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// The application may use HDF5 too, and has its own mind about printed errors.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

struct FixedTexts {
  Handle type;
  std::vector<char> bytes;
};

FixedTexts Fix(const std::vector<std::string>& texts, size_t length) {
  FixedTexts fixed;
  fixed.type = Handle(H5Tcopy(H5T_C_S1), &H5Tclose);
  H5Tset_size(fixed.type, length);
  H5Tset_cset(fixed.type, H5T_CSET_UTF8);
  H5Tset_strpad(fixed.type, H5T_STR_NULLTERM);
  fixed.bytes.resize(std::max<size_t>(1, texts.size()) * length);
  for (size_t i = 0; i < texts.size(); ++i) {
    std::memcpy(&fixed.bytes[i * length], texts[i].data(), std::min(length - 1, texts[i].size()));
  }
  return fixed;
}

size_t Longest(const std::vector<std::string>& texts) {
  size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return longest + 1;
}

class Hdf5File final : public DetailFile {
 public:
  bool Create(MPI_Comm comm, const char* name) {
    const Silence silence;
    PMPI_Comm_rank(comm, &rank_);
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
    if (H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL) < 0) return false;
    H5Pset_coll_metadata_write(access, true);
    file_ = Handle(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access), &H5Fclose);
    together_ = Handle(H5Pcreate(H5P_DATASET_XFER), &H5Pclose);
    H5Pset_dxpl_mpio(together_, H5FD_MPIO_COLLECTIVE);
    layout_ = Handle(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose);
    H5Pset_fill_time(layout_, H5D_FILL_TIME_NEVER);
    H5Pset_alloc_time(layout_, H5D_ALLOC_TIME_EARLY);
    return file_ >= 0;
  }

  bool Texts(const char* dataset, const std::vector<std::string>& texts) override {
    const Silence silence;
    const FixedTexts fixed = Fix(texts, Longest(texts));
    const Handle data = Dataset(dataset, fixed.type, {texts.size()});
    return Write(data, fixed.type, {0}, {rank_ == 0 ? texts.size() : 0}, fixed.bytes.data());
  }

  bool Attribute(const char* dataset, const char* name,
                 const std::vector<std::string>& texts) override {
    const Silence silence;
    const FixedTexts fixed = Fix(texts, Longest(texts));
    const Handle data(H5Dopen2(file_, dataset, H5P_DEFAULT), &H5Dclose);
    const hsize_t size = texts.size();
    const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose);
    const Handle attribute(H5Acreate2(data, name, fixed.type, space, H5P_DEFAULT, H5P_DEFAULT),
                           &H5Aclose);
    return H5Awrite(attribute, fixed.type, fixed.bytes.data()) >= 0;
  }

  bool TextColumn(const char* dataset, uint64_t rows, uint64_t first,
                  const std::vector<std::string>& texts) override {
    const Silence silence;
    constexpr size_t kLength = 65;  // the longest name of a host, and a zero
    const FixedTexts fixed = Fix(texts, kLength);
    const Handle data = Dataset(dataset, fixed.type, {rows});
    return Write(data, fixed.type, {first}, {texts.size()}, fixed.bytes.data());
  }

  bool Column(const char* dataset, uint64_t rows, uint64_t first,
              std::span<const uint32_t> values) override {
    const Silence silence;
    const Handle data = Dataset(dataset, H5T_STD_U32LE, {rows});
    return Write(data, H5T_NATIVE_UINT32, {first}, {values.size()}, values.data());
  }

  bool Table(const char* values, const char* status, uint64_t rows, uint64_t paths,
             uint64_t metrics) override {
    const Silence silence;
    paths_ = paths;
    metrics_ = metrics;
    values_ = Dataset(values, H5T_STD_U64LE, {rows, paths, metrics});
    status_ = Dataset(status, H5T_STD_U8LE, {rows, paths, metrics});
    return values_ >= 0 && status_ >= 0;
  }

  bool Row(std::optional<uint64_t> row, std::span<const uint64_t> values,
           std::span<const uint8_t> status) override {
    const Silence silence;
    const std::vector<hsize_t> start = {row.value_or(0), 0, 0};
    const std::vector<hsize_t> count = {row ? hsize_t{1} : hsize_t{0}, paths_, metrics_};
    const bool first = Write(values_, H5T_NATIVE_UINT64, start, count, values.data());
    return Write(status_, H5T_NATIVE_UINT8, start, count, status.data()) && first;
  }

  bool Close() override {
    const Silence silence;
    const bool values = values_.Close(), status = status_.Close();
    return file_.Close() && values && status;
  }

 private:
  Handle Dataset(const char* name, hid_t type, const std::vector<hsize_t>& size) const {
    const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                       &H5Sclose);
    return Handle(H5Dcreate2(file_, name, type, space, H5P_DEFAULT, layout_, H5P_DEFAULT),
                  &H5Dclose);
  }

  // A process with nothing to write takes part all the same.
  bool Write(hid_t data, hid_t type, const std::vector<hsize_t>& start,
             const std::vector<hsize_t>& count, const void* from) const {
    const Handle there(H5Dget_space(data), &H5Sclose);
    const Handle here(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                      &H5Sclose);
    if (std::find(count.begin(), count.end(), hsize_t{0}) != count.end()) {
      H5Sselect_none(there);
      H5Sselect_none(here);
    } else {
      H5Sselect_hyperslab(there, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    }
    return H5Dwrite(data, type, here, there, together_, from) >= 0;
  }

  int rank_ = 0;
  Handle file_, together_, layout_, values_, status_;
  hsize_t paths_ = 0, metrics_ = 0;
};

DetailFile* Create(int handle, const char* name) {
  // No code of HDF5 runs when the process exits.
  H5dont_atexit();
  auto* file = new (std::nothrow) Hdf5File;
  if (file == nullptr) return nullptr;
  if (file->Create(PMPI_Comm_f2c(handle), name)) return file;
  delete file;
  return nullptr;
}

void Destroy(DetailFile* file) { delete file; }

constexpr DetailPlugin kPlugin = {kDetailPluginVersion, &Create, &Destroy};

}  // namespace
}  // namespace roofmark::mpi

extern "C" __attribute__((visibility("default"))) const roofmark::mpi::DetailPlugin*
roofmark_detail_plugin() {
  return &roofmark::mpi::kPlugin;
}
