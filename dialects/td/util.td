// The part of IREE's `util` dialect that host programs are made of: globals, their
// initialisers, functions.

include "mlir/IR/OpBase.td"

def Util_Dialect : Dialect {
  let name = "util";
  let cppNamespace = "::util";
}

class Util_Op<string mnemonic, list<Trait> traits = []>
    : Op<Util_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

def Util_GlobalOp : Util_Op<"global"> {
  let summary = "a variable of the module that keeps its value between calls";
  let description = [{
    The initial value is a constant, or what the `util.initializer` that stores to it computes when
    the module is loaded, or zero.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttr:$type,
    UnitAttr:$is_mutable,
    OptionalAttr<AnyAttr>:$initial_value,
    OptionalAttr<AnyAttr>:$inlining_policy,
    OptionalAttr<StrAttr>:$sym_visibility
  );
}

def Util_GlobalLoadOp : Util_Op<"global.load"> {
  let summary = "the value of a global";
  let arguments = (ins FlatSymbolRefAttr:$global, UnitAttr:$is_immutable);
  let results = (outs AnyType:$result);
}

def Util_GlobalStoreOp : Util_Op<"global.store"> {
  let summary = "gives a global a new value";
  let arguments = (ins AnyType:$value, FlatSymbolRefAttr:$global);
}

def Util_InitializerOp : Util_Op<"initializer"> {
  let summary = "code that runs once when the module is loaded";
  let description = [{
    Initialisers run in the order of the module. Their function type is `() -> ()`.
  }];
  let arguments = (ins
    TypeAttr:$function_type,
    OptionalAttr<StrAttr>:$sym_name,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let regions = (region AnyRegion:$body);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Util_FuncOp : Util_Op<"func"> {
  let summary = "a function whose results may share storage with its arguments";
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttr:$function_type,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<AnyAttr>:$inlining_policy
  );
  let regions = (region AnyRegion:$body);
}

def Util_CallOp : Util_Op<"call"> {
  let summary = "the results of a function of the module";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$operands,
    OptionalAttr<I64ArrayAttr>:$tied_operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs
  );
  let results = (outs Variadic<AnyType>:$results);
}

def Util_ReturnOp : Util_Op<"return", [Terminator]> {
  let summary = "leaves a function or an initialiser with values";
  let arguments = (ins Variadic<AnyType>:$operands);
}

def Util_OptimizationBarrierOp : Util_Op<"optimization_barrier", [
    RangedTypesMatchWith<"results are the operands", "operands", "results", "$_self">]> {
  let summary = "its operands, which the compiler may not look through";
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
}
