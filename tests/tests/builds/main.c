// Runs a program that the C compiler compiled: there is no interpreter of bytecode.

#include <stdio.h>
#include <stdlib.h>

#include "iree/async/frontier_tracker.h"
#include "iree/async/util/proactor_pool.h"
#include "iree/hal/api.h"
#include "iree/hal/drivers/local_sync/sync_device.h"
#include "iree/hal/local/loaders/embedded_elf_loader.h"
#include "iree/hal/local/executable_plugin_manager.h"
#include "iree/modules/hal/module.h"
#include "iree/vm/api.h"
#include PROGRAM

#define COUNT 12

static void check(iree_status_t status) {
  if (iree_status_is_ok(status)) return;
  iree_status_fprint(stderr, status);
  exit(1);
}

// A device that works on the calling thread and loads the code that the program embeds.
static iree_hal_device_t* open_device(iree_allocator_t host) {
  iree_hal_executable_plugin_manager_t* plugins = NULL;
  check(iree_hal_executable_plugin_manager_create(0, host, &plugins));
  iree_hal_executable_loader_t* loader = NULL;
  check(iree_hal_embedded_elf_loader_create(plugins, host, &loader));
  iree_hal_executable_plugin_manager_release(plugins);

  iree_string_view_t name = iree_make_cstring_view("local-sync");
  iree_hal_allocator_t* allocator = NULL;
  check(iree_hal_allocator_create_heap(name, host, host, &allocator));
  iree_async_proactor_pool_t* proactors = NULL;
  check(iree_async_proactor_pool_create(1, NULL, iree_async_proactor_pool_options_default(), host,
                                        &proactors));
  iree_hal_device_create_params_t create_params = {.proactor_pool = proactors};
  iree_hal_sync_device_params_t params;
  iree_hal_sync_device_params_initialize(&params);
  iree_hal_device_t* device = NULL;
  check(iree_hal_sync_device_create(name, &params, &create_params, 1, &loader, allocator, host,
                                    &device));
  iree_async_proactor_pool_release(proactors);
  iree_hal_allocator_release(allocator);
  iree_hal_executable_loader_release(loader);
  return device;
}

// The program, with what it reaches the device through.
static iree_vm_context_t* load(iree_vm_instance_t* instance, iree_hal_device_t* device,
                               iree_allocator_t host) {
  iree_async_frontier_tracker_options_t options = {
      .axis_table_capacity = 256, .session_epoch = 1, .machine_index = 0};
  iree_async_frontier_tracker_t* tracker = NULL;
  check(iree_async_frontier_tracker_create(options, host, &tracker));
  iree_hal_device_group_t* group = NULL;
  check(iree_hal_device_group_create_from_device(device, tracker, host, &group));
  iree_async_frontier_tracker_release(tracker);

  iree_vm_module_t* modules[2] = {NULL, NULL};
  check(iree_hal_module_create(instance, iree_hal_module_device_policy_default(), group,
                               IREE_HAL_MODULE_FLAG_SYNCHRONOUS,
                               iree_hal_module_debug_sink_null(), host, &modules[0]));
  iree_hal_device_group_release(group);
  check(CREATE(instance, host, &modules[1]));
  iree_vm_context_t* context = NULL;
  check(iree_vm_context_create_with_modules(instance, IREE_VM_CONTEXT_FLAG_NONE, 2, modules, host,
                                            &context));
  iree_vm_module_release(modules[1]);
  iree_vm_module_release(modules[0]);
  return context;
}

// Calls `run` and prints its result.
static void run(iree_vm_context_t* context, iree_hal_device_t* device, iree_allocator_t host) {
  float ones[COUNT];
  for (int i = 0; i < COUNT; ++i) ones[i] = 1.0f;
  iree_hal_buffer_params_t params = {
      .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL,
      .usage = IREE_HAL_BUFFER_USAGE_DEFAULT,
  };
  const iree_hal_dim_t shape[] = {3, 4};
  iree_hal_buffer_view_t* argument = NULL;
  check(iree_hal_buffer_view_allocate_buffer_copy(
      device, iree_hal_device_allocator(device), IREE_ARRAYSIZE(shape), shape,
      IREE_HAL_ELEMENT_TYPE_FLOAT_32, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, params,
      iree_make_const_byte_span(ones, sizeof(ones)), &argument));

  iree_vm_list_t* inputs = NULL;
  iree_vm_list_t* outputs = NULL;
  check(iree_vm_list_create(iree_vm_make_undefined_type_def(), 1, host, &inputs));
  check(iree_vm_list_create(iree_vm_make_undefined_type_def(), 1, host, &outputs));
  iree_vm_ref_t reference = iree_hal_buffer_view_move_ref(argument);
  check(iree_vm_list_push_ref_move(inputs, &reference));

  iree_vm_function_t function;
  check(iree_vm_context_resolve_function(context, iree_make_cstring_view(RUN),
                                         &function));
  check(iree_vm_invoke(context, function, IREE_VM_INVOCATION_FLAG_NONE, NULL, inputs, outputs,
                       host));

  float result[COUNT];
  iree_hal_buffer_view_t* view = iree_vm_list_get_buffer_view_assign(outputs, 0);
  check(iree_hal_device_transfer_d2h(device, iree_hal_buffer_view_buffer(view), 0, result,
                                     sizeof(result), IREE_HAL_TRANSFER_BUFFER_FLAG_DEFAULT,
                                     iree_infinite_timeout()));
  for (int i = 0; i < COUNT; ++i) printf("%.9g%c", result[i], i + 1 < COUNT ? ' ' : '\n');
  iree_vm_list_release(outputs);
  iree_vm_list_release(inputs);
}

int main(void) {
  iree_allocator_t host = iree_allocator_system();
  iree_vm_instance_t* instance = NULL;
  check(iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, host, &instance));
  check(iree_hal_module_register_all_types(instance));
  iree_hal_device_t* device = open_device(host);
  iree_vm_context_t* context = load(instance, device, host);
  // Globals change with each call.
  run(context, device, host);
  run(context, device, host);
  iree_vm_context_release(context);
  iree_hal_device_release(device);
  iree_vm_instance_release(instance);
  return 0;
}
