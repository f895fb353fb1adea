import ts from 'typescript';

/** What a value of the contract is told of: each property by its path, as `sources[].quote`. */
export type Comments = Map<string, string>;

/** Deeper than any shape of the contract. */
const maxDepth = 12;

/**
 * Reads the doc comments of the contract, by the types that its schemas make: the same words stand in an editor, in the
 * code and in the API document.
 * @returns for each call the comments of its `input`, `output` and `message`
 */
export function readComments(): (call: string, part: 'input' | 'output' | 'message') => Comments {
  const file = 'contract/calls.ts';
  const program = ts.createProgram([file], {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const calls = module && checker.getExportsOfModule(module).find(({ name }) => name === 'calls');
  if (!calls) throw new Error('contract/calls.ts exports no calls');
  const all = checker.getTypeOfSymbol(calls);

  return (call, part) => {
    const comments: Comments = new Map();
    const entry = all.getProperty(call);
    const schema = entry && checker.getTypeOfSymbol(entry).getProperty(part);
    // What a schema takes and gives are types of their own: defaults and transforms stand between them.
    const value = schema && member(checker.getTypeOfSymbol(schema), part === 'input' ? '_input' : '_output');
    if (value) walk(value, '', comments, 0);
    return comments;
  };

  function member(type: ts.Type, name: string): ts.Type | undefined {
    const property = checker.getNonNullableType(type).getProperty(name);
    return property && checker.getTypeOfSymbol(property);
  }

  function walk(given: ts.Type, path: string, comments: Comments, depth: number): void {
    const type = checker.getNonNullableType(given);
    if (depth > maxDepth) return;
    if (type.isUnion()) {
      for (const each of type.types) walk(each, path, comments, depth);
      return;
    }
    if (checker.isTupleType(type)) return;
    if (checker.isArrayType(type)) {
      const [element] = checker.getTypeArguments(type as ts.TypeReference);
      if (element) walk(element, `${path}[]`, comments, depth + 1);
      return;
    }
    if (!(type.flags & ts.TypeFlags.Object)) return;
    for (const property of type.getProperties()) {
      const at = path === '' ? property.name : `${path}.${property.name}`;
      const comment = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ').trim();
      if (comment !== '' && !comments.has(at)) comments.set(at, comment);
      walk(checker.getTypeOfSymbol(property), at, comments, depth + 1);
    }
  }
}
