/** `AWS::EC2::Instance` has three segments. */
export const typeSegments = (type: string): string[] => type.split('::').filter((segment) => segment !== '')

/** The words of a type, the most specific first: the disk of a host is a disk first. */
export const typeWords = (type: string): string[] =>
  typeSegments(type)
    .toReversed()
    .flatMap((segment) => segment.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z\d]+/g)?.toReversed() ?? [])
    .map((word) => word.toLowerCase())
