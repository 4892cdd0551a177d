use super::{
    super::{tracer::Tracer, value::Value},
    OperationCall,
};

pub(super) fn range(tracer: &mut Tracer<'_>, call: OperationCall<'_>) -> Option<Value> {
    Some(tracer.run_time_range(call.argument(0)?, call.argument(1)?))
}
