// Says of each offset that a dispatch is given that nothing is known of its alignment.
module attributes { transform.with_named_sequence } {
  transform.named_sequence @offsets_of_any_alignment(%module: !transform.any_op {transform.readonly}) {
    %offsets = transform.structured.match ops{["arith.index_castui"]} in %module : (!transform.any_op) -> !transform.any_op
    %one = transform.param.constant 1 : index -> !transform.any_param
    transform.annotate %offsets "stream.alignment" = %one : !transform.any_op, !transform.any_param
    transform.yield
  }
}
