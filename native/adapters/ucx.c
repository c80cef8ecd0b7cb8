/* UCX's tagged messages as a backend: the layer below MPI libraries and NCCL's plugins, without these. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucp/api/ucp.h>

#include "nightsweep_adapter.h"

typedef struct {
  int rank, ranks;
  ucp_context_h context;
  ucp_worker_h worker;
  ucp_ep_h* endpoints;
} ucx_state;

/* A pending message and its result. */
typedef struct {
  void* handle;
  size_t moved;
} ucx_message;

static int failed(ucs_status_t status) { return status == UCS_OK ? 0 : (int)status; }

static const char* library(void) {
  static char text[64];
  unsigned major, minor, release;
  ucp_get_version(&major, &minor, &release);
  snprintf(text, sizeof text, "ucx %u.%u.%u", major, minor, release);
  return text;
}

static const char* error_text(int error) { return ucs_status_string((ucs_status_t)error); }

static int meet(ucx_state* s, const nightsweep_world* world) {
  ucp_address_t* own;
  size_t length;
  int error = failed(ucp_worker_get_address(s->worker, &own, &length));
  if (error) return error;
  size_t* lengths = malloc(sizeof *lengths * (size_t)s->ranks);
  world->exchange(world->context, &length, sizeof length, lengths);
  size_t most = 0;
  for (int r = 0; r < s->ranks; ++r) most = lengths[r] > most ? lengths[r] : most;
  char* padded = calloc(1, most);
  char* all = malloc(most * (size_t)s->ranks);
  memcpy(padded, own, length);
  world->exchange(world->context, padded, most, all);
  for (int r = 0; r < s->ranks && !error; ++r) {
    ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
                              .address = (const ucp_address_t*)(all + most * (size_t)r)};
    error = failed(ucp_ep_create(s->worker, &params, &s->endpoints[r]));
  }
  free(all);
  free(padded);
  free(lengths);
  ucp_worker_release_address(s->worker, own);
  return error;
}

static int open_all(const nightsweep_world* world, void** state) {
  ucx_state* s = calloc(1, sizeof *s);
  s->rank = world->rank;
  s->ranks = world->ranks;
  s->endpoints = calloc((size_t)world->ranks, sizeof *s->endpoints);
  ucp_config_t* config;
  int error = failed(ucp_config_read(NULL, NULL, &config));
  if (error) return error;
  ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES, .features = UCP_FEATURE_TAG};
  error = failed(ucp_init(&params, config, &s->context));
  ucp_config_release(config);
  if (error) return error;
  ucp_worker_params_t worker = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                .thread_mode = UCS_THREAD_MODE_SINGLE};
  error = failed(ucp_worker_create(s->context, &worker, &s->worker));
  if (error) return error;
  *state = s;
  return meet(s, world);
}

static void close_all(void* state) {
  ucx_state* s = state;
  for (int r = 0; r < s->ranks; ++r) {
    ucp_request_param_t none = {0};
    void* closing = ucp_ep_close_nbx(s->endpoints[r], &none);
    if (!UCS_PTR_IS_PTR(closing)) continue;
    while (ucp_request_check_status(closing) == UCS_INPROGRESS) ucp_worker_progress(s->worker);
    ucp_request_free(closing);
  }
  ucp_worker_destroy(s->worker);
  ucp_cleanup(s->context);
  free(s->endpoints);
  free(s);
}

/* Combines sender and tag of a message: the sender in the upper half, the tag in the lower. */
static ucp_tag_t tag_of(int from, int tag) { return (ucp_tag_t)(uint32_t)from << 32 | (uint32_t)tag; }

static int begun(ucx_message* m, void* handle, void** request) {
  if (UCS_PTR_IS_ERR(handle)) {
    free(m);
    return (int)UCS_PTR_STATUS(handle);
  }
  m->handle = handle;
  *request = m;
  return 0;
}

static int send_one(void* state, const void* data, size_t bytes, int to, int tag, void** request) {
  ucx_state* s = state;
  ucx_message* m = calloc(1, sizeof *m);
  m->moved = bytes;
  ucp_request_param_t params = {0};
  return begun(m, ucp_tag_send_nbx(s->endpoints[to], data, bytes, tag_of(s->rank, tag), &params), request);
}

static void received(void* handle, ucs_status_t status, const ucp_tag_recv_info_t* info, void* message) {
  (void)handle;
  if (status == UCS_OK) ((ucx_message*)message)->moved = info->length;
}

static int receive_one(void* state, void* data, size_t bytes, int from, int tag, void** request) {
  ucx_state* s = state;
  ucx_message* m = calloc(1, sizeof *m);
  ucp_tag_recv_info_t now = {0};
  ucp_request_param_t params = {
      .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_RECV_INFO,
      .cb.recv = received,
      .user_data = m,
      .recv_info.tag_info = &now};
  void* handle = ucp_tag_recv_nbx(s->worker, data, bytes, tag_of(from, tag), (ucp_tag_t)-1, &params);
  /* If it is done at once, the callback is not called. */
  if (handle == NULL) m->moved = now.length;
  return begun(m, handle, request);
}

static int wait_for(void* state, void* request, size_t* moved) {
  ucx_state* s = state;
  ucx_message* m = request;
  ucs_status_t status = UCS_OK;
  if (m->handle != NULL) {
    while ((status = ucp_request_check_status(m->handle)) == UCS_INPROGRESS) ucp_worker_progress(s->worker);
    ucp_request_free(m->handle);
  }
  *moved = m->moved;
  free(m);
  return failed(status);
}

static int progress(void* state) {
  ucp_worker_progress(((ucx_state*)state)->worker);
  return 0;
}

const nightsweep_adapter* nightsweep_adapter_of_library(void) {
  static const nightsweep_adapter adapter = {NIGHTSWEEP_ADAPTER_VERSION,
                                             NIGHTSWEEP_HOST,
                                             library,
                                             error_text,
                                             open_all,
                                             close_all,
                                             send_one,
                                             receive_one,
                                             wait_for,
                                             progress,
                                             NULL};
  return &adapter;
}
