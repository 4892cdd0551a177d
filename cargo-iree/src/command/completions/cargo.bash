
complete -F _cargo_iree -o nosort -o bashdefault -o default cargo-iree

# `cargo iree` is completed as `cargo-iree` is, and the rest of cargo as before.
_cargo_iree_behind_cargo() {
    if [[ $COMP_CWORD -ge 2 && ${COMP_WORDS[1]} == iree ]]; then
        local words=(cargo-iree "${COMP_WORDS[@]:2}") previous=$3
        [[ $COMP_CWORD -eq 2 ]] && previous=cargo-iree
        local COMP_WORDS=("${words[@]}") COMP_CWORD=$((COMP_CWORD - 1))
        _cargo_iree cargo-iree "$2" "$previous"
    elif [[ -n $_cargo_iree_before ]]; then
        "$_cargo_iree_before" "$@"
    fi
}

if [[ $(complete -p cargo 2>/dev/null) != *_cargo_iree_behind_cargo* ]]; then
    if declare -F _completion_loader >/dev/null; then
        _completion_loader cargo
    fi
    _cargo_iree_before=$(complete -p cargo 2>/dev/null | sed -n 's/.* -F \([^ ]*\) .*/\1/p')
    complete -F _cargo_iree_behind_cargo -o bashdefault -o default cargo
fi
