# Settings for all models. Sourced before configs/<MODEL>.env.sh, whose flags come later and win.
ENABLE_XLA_DUMP=${ENABLE_XLA_DUMP:-${EXTRACTED_ENV_MAP[ENABLE_XLA_DUMP]:-0}}
if [[ $ENABLE_XLA_DUMP == 1 && $NODE_RANK == 0 ]]; then
  XLA_FLAGS="${XLA_FLAGS:+$XLA_FLAGS }--xla_dump_hlo_as_text --xla_dump_hlo_module_re=^jit_train_step$ --xla_dump_to=$OUTPUT_PATH/xla_dump"
  export XLA_FLAGS
  echo "[XLA dump] XLA_FLAGS=$XLA_FLAGS"
fi
export NCCL_DEBUG=WARN
export TF_CPP_MIN_LOG_LEVEL=2
