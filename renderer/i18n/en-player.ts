/** Texts of the video's player. */
export const player = {
  player: {
    play: 'Play',
    pause: 'Pause',
    toggle: 'Play or pause',
    faster: 'Play faster',
    slower: 'Play slower',
    previousKeyframe: 'To the keyframe of the file before',
    nextKeyframe: 'To the next keyframe of the file',
    speed: 'Speed',
    loop: 'Play again and again',
    looping: 'Frames {{from}} to {{to}} are played again and again',
    loopAll: 'The whole job',
    loopFrom: 'From frame {{frame}} on',
    loopTo: 'Up to frame {{frame}}',
    loopOff: 'Once',
    failed: 'The video cannot be played',
  },
};
