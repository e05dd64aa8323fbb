/** `AWS::EC2::Instance` has three. */
export const typeSegments = (type: string): string[] => type.split('::').filter((segment) => segment !== '')

/** Words of a type, the most telling first: an item is a disk before it is of a host. */
export const typeWords = (type: string): string[] =>
  typeSegments(type)
    .toReversed()
    .flatMap((segment) => segment.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z\d]+/g)?.toReversed() ?? [])
    .map((word) => word.toLowerCase())
