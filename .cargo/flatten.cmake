# Included by the build of IREE's runtime, after its `project` command; see the script `cmake` beside this file.
#
# IREE makes one archive of its runtime by expressions that name, for each library, its objects and the same
# expressions of all libraries that it depends on. CMake evaluates them on every way through the graph, some
# million times, which takes longer than compiling a good part of the runtime. So what they come to is written
# down once, when all libraries are known and before anything is evaluated.

function(iree_dsl_flatten root property)
  set(pending ${root})
  set(seen)
  set(flat)
  while(pending)
    list(POP_FRONT pending target)
    get_target_property(aliased ${target} ALIASED_TARGET)
    if(aliased)
      set(target ${aliased})
    endif()
    if(target IN_LIST seen)
      continue()
    endif()
    list(APPEND seen ${target})
    get_target_property(parts ${target} ${property})
    set(below)
    foreach(part IN LISTS parts)
      if(part MATCHES "^\\$<GENEX_EVAL:\\$<TARGET_PROPERTY:([^,]+),${property}>>$")
        list(APPEND below ${CMAKE_MATCH_1})
      elseif(part)
        list(APPEND flat ${part})
      endif()
    endforeach()
    list(PREPEND pending ${below})
  endwhile()
  list(REMOVE_DUPLICATES flat)
  set_property(TARGET ${root} PROPERTY ${property} ${flat})
endfunction()

function(iree_dsl_flatten_all)
  foreach(root eerie_runtime_impl iree_runtime_impl)
    if(TARGET ${root})
      iree_dsl_flatten(${root} INTERFACE_IREE_TRANSITIVE_OBJECTS)
      iree_dsl_flatten(${root} INTERFACE_IREE_TRANSITIVE_OBJECT_LIBS)
    endif()
  endforeach()
endfunction()

cmake_language(DEFER CALL iree_dsl_flatten_all)
