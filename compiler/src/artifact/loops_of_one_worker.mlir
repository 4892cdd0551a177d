// Has loops be plain loops, of which nothing is divided among workgroups.
module attributes { transform.with_named_sequence } {
  transform.named_sequence @loops_of_one_worker(%module: !transform.any_op {transform.readonly}) {
    %copies = transform.structured.match ops{["bufferization.materialize_in_destination"]} in %module : (!transform.any_op) -> !transform.any_op
    %functions = "transform.get_parent_op"(%copies) <{op_name = "func.func", deduplicate, nth_parent = 1 : i64}> : (!transform.any_op) -> !transform.any_op
    %plain = transform.param.constant #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<Default>> -> !transform.any_param
    transform.annotate %functions "translation_info" = %plain : !transform.any_op, !transform.any_param
    transform.yield
  }
}
