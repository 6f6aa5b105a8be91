/** A rotation as the model has it, 0 up to 360 degrees; numbers in that range stay exactly what they are. */
export function normalRotation(degrees: number): number {
  const rest = degrees % 360;
  return rest < 0 ? rest + 360 : rest + 0;
}
