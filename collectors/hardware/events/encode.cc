// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/encode.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include "collectors/hardware/events/event_text.h"
#include "collectors/hardware/events/libpfm.h"

namespace roofmark::events {
namespace {

EncodedEvent OnDevice(const Device& device, std::string_view fields) {
  EncodedEvent event;
  event.name = fmt::format("{}/{}/", device.name, fields);
  event.device = device.name;
  event.type = device.type;
  if (device.PerPackage()) {
    event.scope = Scope::kPackage;
    event.cpus = *device.cpumask;
  }
  return event;
}

// Fields in order; a name without value is an event of events/ (whose fields, scale and unit are
// taken) or a field of one bit.
Result<EncodedEvent> Encode(const Device& device, const std::vector<FieldValue>& fields,
                            std::string_view text, bool names_allowed) {
  EncodedEvent event = OnDevice(device, text);
  for (const FieldValue& field : fields) {
    const auto named = device.events.find(field.name);
    if (!field.value && names_allowed && named != device.events.end()) {
      Result<std::vector<FieldValue>> own = ParseFields(named->second.fields);
      // The kernel marks what a user has to give by '?'.
      if (!own)
        return Error{
            fmt::format("event {} of device {}: {}", field.name, device.name, own.error())};
      Result<EncodedEvent> base = Encode(device, *own, text, false);
      if (!base) return base;
      event.config = base->config;
      event.scale = named->second.scale;
      event.unit = named->second.unit;
      continue;
    }
    if (!field.value && !device.format.contains(field.name))
      return Error{fmt::format("device {} has neither an event nor a field \"{}\"", device.name,
                               field.name)};
    Result<ConfigWords> words =
        SetField(event.config, device.format, field.name, field.value.value_or(1), device.name);
    if (!words) return Error{words.error()};
    event.config = *words;
  }
  return event;
}

std::string ForDevice(std::string text, const Device& device) {
  const size_t at = text.find("{}");
  if (at != std::string::npos) text.replace(at, 2, DeviceNumber(device.name));
  return text;
}

Result<EncodedEvent> EncodeOn(const Device& device, const Event& event,
                              std::vector<std::string>& notes) {
  const std::string kernel_name = ForDevice(event.kernel_name, device);
  const bool listed = !kernel_name.empty() && device.events.contains(kernel_name);
  if (event.fields.empty() && !listed)
    return Error{fmt::format("device {} does not list the event {}", device.name, kernel_name)};
  Result<EncodedEvent> ours = EncodedEvent{};
  if (!event.fields.empty()) {
    Result<std::vector<FieldValue>> fields = ParseFields(event.fields);
    if (!fields) return Error{fields.error()};
    ours = Encode(device, *fields, event.fields, false);
    if (!listed) return ours;
  }
  Result<EncodedEvent> kernels = Encode(device, {{kernel_name, std::nullopt}}, kernel_name, true);
  if (!kernels) return kernels;
  if (!event.fields.empty() && (!ours || ours->config != kernels->config))
    notes.push_back(
        fmt::format("device {}: the operating system spells {} as {}, roofmark's table as {}; "
                    "that of the operating system is counted",
                    device.name, kernel_name, device.events.at(kernel_name).fields, event.fields));
  // Weights of the table are per count, in bytes: the kernel's unit must not be applied on top.
  kernels->scale = 1;
  kernels->unit.clear();
  return kernels;
}

Result<Encoding> EncodePfm(const Sysfs& sysfs, const std::string& text) {
  Result<PfmEncoding> named = EncodePfmName(text);
  if (!named) return Error{named.error()};
  EncodedEvent event;
  // Types below are the kernel's fixed ones: no device is behind them.
  if (named->type >= PERF_TYPE_MAX) {
    Result<Device> device = sysfs.FindType(named->type);
    if (!device) return Error{fmt::format("event \"{}\": {}", text, device.error())};
    event = OnDevice(*device, text);
  }
  event.name = text;
  event.type = named->type;
  event.config = named->config;
  if (named->cpu >= 0) {
    event.scope = Scope::kPackage;
    event.cpus = {static_cast<uint32_t>(named->cpu)};
  }
  return Encoding{{std::move(event)}, {}};
}

}  // namespace

Result<Encoding> EncodeTableEvent(const Sysfs& sysfs, const Event& event) {
  Result<Expansion> expansion = sysfs.Expand(event.device);
  // All events of a device lack it alike, so none of them is named.
  if (!expansion) return Error{expansion.error()};
  Encoding encoding;
  encoding.notes = std::move(expansion->phantoms);
  for (const Device& device : expansion->devices) {
    Result<EncodedEvent> encoded = EncodeOn(device, event, encoding.notes);
    if (!encoded) return Error{fmt::format("{}: {}", event.name, encoded.error())};
    encoding.events.push_back(std::move(*encoded));
  }
  return encoding;
}

Result<Encoding> EncodeUserEvent(const Sysfs& sysfs, const std::string& text) {
  if (!IsPmuText(text)) return EncodePfm(sysfs, text);
  Result<PmuText> parsed = ParsePmuText(text);
  if (!parsed) return Error{parsed.error()};
  Result<Expansion> expansion = sysfs.ExpandUserName(parsed->device);
  if (!expansion) return Error{fmt::format("event \"{}\": {}", text, expansion.error())};
  Encoding encoding;
  encoding.notes = std::move(expansion->phantoms);
  const std::string_view fields = std::string_view(text).substr(
      parsed->device.size() + 1, text.size() - parsed->device.size() - 2);
  for (const Device& device : expansion->devices) {
    Result<EncodedEvent> encoded = Encode(device, parsed->fields, fields, true);
    if (!encoded) return Error{fmt::format("event \"{}\": {}", text, encoded.error())};
    encoding.events.push_back(std::move(*encoded));
  }
  return encoding;
}

}  // namespace roofmark::events
