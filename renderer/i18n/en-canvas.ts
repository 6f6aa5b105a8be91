/** What the canvas says: why something cannot be done, and what mouse and keys do now. */
export const canvas = {
  canvas: {
    refused: {
      lockedChange: 'Locked objects are not changed: unlock them first.',
      lockedDelete: 'Locked objects are not deleted: unlock them first, or hold Shift while deleting.',
      notHere: 'The selected track is not seen on this frame: go to a frame where it is.',
      lastKeyframe: 'This is the only keyframe of the track: delete the track instead.',
      noTrack: 'Select a track first.',
      noShape: 'Select a shape that is not a track, and not locked, first.',
      splitHere: 'A track is split where it is seen, after its first frame.',
      mergeUnlike: 'Only objects of one label and one kind become one track.',
      mergeFew: 'Choose at least two objects, on one frame or on several.',
      noLabel: 'Choose a label first: every shape needs one.',
      otherType: 'The label "{{name}}" is for {{type}} only: choose another label or tool.',
      noSize: 'The box has no size: drag it open, or click two opposite corners.',
      noSkeleton: 'This label has no skeleton: choose one whose elements are laid out in the label editor.',
      nothingToErase: 'Nothing to erase: select a mask first, or paint one with the brush.',
      lastVertices: 'This shape needs all the points it has: delete the whole shape instead.',
      tooFew: {
        polygon: 'A polygon needs three points: add the missing ones, or press Escape to drop it.',
        polyline: 'A line needs two points: add another, or press Escape to drop it.',
        points: 'Set at least one point.',
      },
    },
    hint: {
      zoom: 'Drag the region to look at. Alt+click: zoom out.',
      box: 'Drag, or click two corners. Shift: square.',
      boxDrawn: 'Shift: square. Escape: cancel.',
      polygon: 'Click the corners, or drag to draw freehand.',
      polyline: 'Click along the line, or drag to draw freehand.',
      points: 'Click each point, Enter when all are set.',
      path: 'Enter: done. Right click: take back a point. Shift: 45°.',
      paint: 'Paint the object.',
      painting: 'Enter: done. Ctrl: brush or eraser. Right click: take back.',
      prompt: 'Left click: on the object. Right click: not the object. Drag: box. Enter: keep.',
    },
  },
};
