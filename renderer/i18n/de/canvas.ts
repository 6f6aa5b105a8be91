import type { canvas as texts, shapeNames as names } from '../en-canvas.ts';
import type { Translation } from '../text-key.ts';

export const shapeNames: Translation<typeof names> = {
  rectangle: 'Rechteck',
  polygon: 'Polygon',
  polyline: 'Linienzug',
  points: 'Punkte',
  ellipse: 'Ellipse',
  cuboid: 'Quader',
  mask: 'Maske',
  skeleton: 'Skelett',
};

export const canvas: Translation<typeof texts> = {
  canvas: {
    fit: {
      objects: 'Passt nicht in sein Bild: {{fitted}} beschnitten oder verschoben, {{left}} ausgelassen.',
      frames_one: 'Der Track passt in 1 Bild nicht: Dort ist er beschnitten oder ausgeblendet.',
      frames_other: 'Der Track passt in {{count}} Bilder nicht: Dort ist er beschnitten oder ausgeblendet.',
    },
    refused: {
      changedElsewhere: 'Das wurde inzwischen anderswo geändert: Es bleibt, wie es ist.',
      lockedChange: 'Gesperrte Objekte werden nicht geändert: Geben Sie sie zuerst frei.',
      lockedDelete:
        'Gesperrte Objekte werden nicht gelöscht: Geben Sie sie zuerst frei, oder halten Sie beim Löschen Umschalt.',
      notHere: 'Der gewählte Track ist auf diesem Frame nicht zu sehen: Gehen Sie zu einem, auf dem er es ist.',
      lastKeyframe: 'Das ist der einzige Keyframe des Tracks: Löschen Sie stattdessen den Track.',
      noTrack: 'Wählen Sie zuerst einen Track.',
      noShape: 'Wählen Sie zuerst eine Form, die kein Track und nicht gesperrt ist.',
      splitHere: 'Ein Track wird geteilt, wo er zu sehen ist, nach seinem ersten Frame.',
      mergeUnlike: 'Nur Objekte mit einem Label und von einer Art werden ein Track.',
      mergeFew: 'Wählen Sie mindestens zwei Objekte, auf einem Frame oder auf mehreren.',
      noLabel: 'Wählen Sie zuerst ein Label: Jede Form braucht eines.',
      otherType: 'Das Label „{{name}}“ ist nur für {{type}}: Wählen Sie ein anderes Label oder Werkzeug.',
      noSize: 'Der Rahmen hat keine Größe: Ziehen Sie ihn auf, oder klicken Sie zwei Ecken an.',
      noSkeleton: 'Dieses Label hat kein Skelett: Wählen Sie eines, dessen Punkte im Label-Editor angeordnet sind.',
      noSkeletonLabel:
        'Kein Label hat hier ein Skelett: Geben Sie der Aufgabe oder ihrem Projekt eines der Art Skelett.',
      nothingToErase: 'Nichts zu radieren: Wählen Sie zuerst eine Maske, oder malen Sie eine mit dem Pinsel.',
      tooLargeToPaint:
        'Masken werden auf Bildern von bis zu {{limit}} Megapixeln gemalt, und dieses hat mehr. Zeichnen Sie stattdessen ein Polygon, und machen Sie daraus eine Maske.',
      noPoint: 'Dieser Griff gehört zur ganzen Form: Nur Punkte lassen sich einzeln löschen.',
      noEdge: 'Ein Punkt kommt zwischen diesen und den nächsten: Hier ist keine Kante.',
      lastVertices: 'Diese Form braucht alle ihre Punkte: Löschen Sie stattdessen die ganze Form.',
      readOnly:
        'Dieser Modus sieht nur an: Es wurde nichts geändert. Schalten Sie über dem Bild „Bearbeiten“ ein, um Objekte zu ändern.',
      noExtent: 'Diese Punkte spannen kein Rechteck auf: Rechtsklick nimmt den letzten zurück, Escape verwirft es.',
      redrawOpen:
        'Die neue Linie endet auf einem Punkt des Polygons: Klicken Sie den an, wo sie ihn trifft, oder drücken Sie Escape.',
      redrawGone: 'Die Form wurde inzwischen geändert: Sie bleibt, wie sie jetzt ist, die neue Linie ist verworfen.',
      nothingToSlice:
        'Wählen Sie zuerst das Polygon oder die Maske zum Zerschneiden; Tracks und Gesperrtes werden nicht zerschnitten.',
      notThrough:
        'Die Linie geht nicht von Rand zu Rand hindurch: Es wurde nichts zerschnitten. Setzen Sie mehr Punkte, oder drücken Sie Esc.',
      hole: {
        noPolygon:
          'Wählen Sie zuerst das Polygon für das Loch; Tracks und Gesperrtes bekommen keines. Für Masken gibt es ein eigenes Werkzeug.',
        noArea:
          'Ein Loch braucht drei Punkte, die eine Fläche umschließen: Setzen Sie die fehlenden, oder verwerfen Sie es mit Escape.',
        knotted:
          'Dieses Loch kreuzt sich selbst: Rechtsklick nimmt seinen letzten Punkt zurück, Escape verwirft es. Nichts wurde geschnitten.',
        crosses:
          'Das Loch kreuzt den Umriss oder ein anderes Loch: Nichts wurde geschnitten. Nehmen Sie Punkte zurück, oder drücken Sie Escape.',
        outside:
          'Das Loch liegt außerhalb des gewählten Polygons, oder in einem Loch, das es schon hat: Nichts wurde geschnitten. Escape verwirft es.',
      },
      tooFew: {
        extreme: 'Dieses Rechteck braucht vier Punkte: oben, unten, links und rechts. Escape verwirft es.',
        rotated: 'Dieses Rechteck braucht drei Punkte: eine Kante, und wie weit es reicht. Escape verwirft es.',
        polygon: 'Ein Polygon braucht drei Punkte: Setzen Sie die fehlenden, oder verwerfen Sie es mit Escape.',
        scissors:
          'Dieser Umriss hat noch keine Fläche: Setzen Sie noch einen Punkt, oder verwerfen Sie ihn mit Escape.',
        polyline: 'Eine Linie braucht zwei Punkte: Setzen Sie noch einen, oder verwerfen Sie sie mit Escape.',
        points: 'Setzen Sie mindestens einen Punkt.',
      },
    },
    hint: {
      zoom: 'Ziehen Sie den Bereich auf. Alt+Klick: verkleinern.',
      box: 'Ziehen, oder zwei Ecken anklicken. Umschalt: Quadrat.',
      boxDrawn: 'Umschalt: Quadrat. Escape: abbrechen.',
      polygon: 'Ecken anklicken, oder Umschalt halten, um frei zu zeichnen.',
      scissors: 'Den Rand des Objekts anklicken, dann den Zeiger an ihm entlang führen.',
      scissorsPath: 'Klick: Punkt setzen. Enter: schließen. Rechtsklick: Punkt zurück. Strg: gerade.',
      polyline: 'Entlang der Linie klicken, oder Umschalt halten, um frei zu zeichnen.',
      points: 'Jeden Punkt anklicken, Enter, wenn alle gesetzt sind.',
      slice:
        'Zeichnen Sie den Schnitt von außen nach außen. Enter: zerschneiden. Rechtsklick: Punkt zurück. Umschalt: frei.',
      hole: 'Klicken Sie die Ecken des Lochs im Polygon an. Enter: schneiden. Rechtsklick: Punkt zurück.',
      path: 'Enter: fertig. Rechtsklick: Punkt zurück. Umschalt: frei. Strg: 45°.',
      extreme: 'Oben, unten, links und rechts am Objekt klicken. Rechtsklick: zurück.',
      rotated: 'Beide Enden einer Kante anklicken, dann wie weit es reicht. Strg: 45°.',
      redrawRing:
        'Die neuen Punkte anklicken, dann den Punkt des Polygons, wo sie enden. Alt: der andere Teil. Escape: abbrechen.',
      redrawLine:
        'Die neuen Punkte anklicken, dann einen Punkt der Linie, oder Enter. Alt: der andere Teil. Escape: abbrechen.',
      paint: 'Malen Sie das Objekt aus.',
      painting: 'Enter: fertig. Strg: Pinsel oder Radierer. Rechtsklick: zurück.',
      prompt: 'Linksklick: auf dem Objekt. Rechtsklick: nicht das Objekt. Ziehen: Rahmen. Enter: behalten.',
    },
  },
  skeleton: {
    points_one: '{{count}} Punkt',
    points_other: '{{count}} Punkte',
    open: '{{points}} und die Linien von {{name}}',
    title: 'Skelett „{{name}}“',
    titleNew: 'Skelett',
    startFrom: 'Anfangen mit',
    presets: { person: 'Person, {{count}}', hand: 'Hand, {{count}}', face: 'Gesicht, {{count}}', empty: 'Leer' },
    tools: 'Werkzeuge',
    tool: {
      draw: 'Punkte hinzufügen und verbinden',
      move: 'Punkte verschieben',
      delete: 'Punkte und Linien löschen',
    },
    undo: 'Rückgängig',
    redo: 'Wiederherstellen',
    picture: 'Bild darunter',
    noPicture: 'Ohne das Bild',
    openFile: 'SVG öffnen',
    saveFile: 'Als SVG sichern',
    stage:
      'Vorlage. Enter fügt einen Punkt hinzu, Bild auf und Bild ab wählen einen, Pfeiltasten verschieben ihn, J verbindet, Entf löscht.',
    hint: {
      draw: 'Klick fügt einen Punkt hinzu · Ziehen von Punkt zu Punkt verbindet oder trennt sie',
      move: 'Ziehen verschiebt einen Punkt',
      delete: 'Klick löscht einen Punkt oder eine Linie',
      joining: 'Verbinden von „{{name}}“: Wählen Sie einen anderen Punkt, dann J · Esc beendet es',
    },
    keys: 'Tasten: Enter fügt hinzu · Bild ↑ ↓ wählen · Pfeile verschieben · J verbindet · Entf löscht',
    chosen: '{{number}} {{name}} · {{x}}, {{y}} · {{joined}}',
    joinedTo: 'verbunden mit {{names}}',
    notJoined: 'nicht verbunden',
    nothingChosen: 'Kein Punkt ist gewählt.',
    pointsTitle: 'Punkte',
    pointName: 'Name von Punkt {{number}}',
    pointColor: 'Farbe von {{name}}',
    up: '{{name}} einen Platz hinauf',
    down: '{{name}} einen Platz hinunter',
    remove: '{{name}} löschen',
    details: 'Farbe und Attribute von {{name}}',
    none: 'Noch keine Punkte. Fangen Sie oben mit einer Vorlage an, klicken Sie in den Kasten, oder drücken Sie dort Enter.',
    fixed:
      'Dieses Label ist gesichert, und Annotationen stützen sich vielleicht auf seine Punkte: Sie lassen sich verschieben, verbinden und umbenennen, aber keiner kommt hinzu oder geht. Für andere Punkte legen Sie ein anderes Label an.',
    isFixed: 'Die Punkte eines gesicherten Skeletts bleiben',
    apply: 'Diese Vorlage verwenden',
    discardTitle: 'Änderungen verwerfen?',
    discardText: 'Die Vorlage wird wieder, wie sie beim Öffnen war.',
    discard: 'Verwerfen',
    invalid: 'Die Vorlage lässt sich noch nicht verwenden',
    problems: {
      noPoints: '„{{label}}“: Ein Skelett braucht Punkte. Öffnen Sie seine Vorlage und fügen Sie welche hinzu.',
      noName: '„{{label}}“: Punkt {{number}} hat keinen Namen.',
      longName: '„{{label}}“: Der Name von Punkt {{number}} hat mehr als 64 Zeichen.',
      twice: '„{{label}}“: Zwei Punkte heißen „{{name}}“.',
      tooLarge: '„{{label}}“: Es sind zu viele Punkte und Linien, um sie zu sichern. Löschen Sie einige.',
    },
    refused: {
      title: 'Die Datei wurde nicht genommen: Die Vorlage ist, wie sie war',
      unreadable: 'Die Datei ließ sich nicht lesen: {{reason}}',
      syntax: 'Von hier an ist sie keine einfache Zeichnung: {{what}}',
      element: 'Nur Kreise und Linien zeichnen ein Skelett, und diese Datei hat {{what}}.',
      attribute: 'Die Zeichnung eines Skeletts hat kein {{what}}.',
      value: 'Das ist kein Wert, den die Zeichnung eines Skeletts hat: {{what}}',
      text: 'Da steht Text, wo nur Kreise und Linien sein können: {{what}}',
      tooLong: 'Sie hat {{what}} Zeichen. Die Zeichnung eines Skeletts hat höchstens 200.000.',
      tooMany: 'Sie hat {{what}} Punkte. Ein Skelett hat höchstens 1.000.',
      noPoints: 'Sie hat keine Kreise, das Skelett hätte also keine Punkte.',
      place: 'Ein Kreis hat keinen Ort (cx und cy): {{what}}',
      outside:
        'Ein Kreis liegt außerhalb der Zeichnung, bei {{what}}. Sie ist 100 breit und hoch, wenn ihre viewBox nichts anderes sagt.',
      twice: 'Das gibt es zweimal: {{what}}',
      loose: 'Eine Linie verbindet nicht zwei Kreise der Datei: {{what}}',
      labels: 'Ihre Beschreibung der Punkte lässt sich nicht lesen: {{what}}',
      pictureTitle: 'Das Bild lässt sich nicht zeigen',
      picture: '„{{name}}“ ist kein Bild, das sich hier zeigen lässt. Die Vorlage ist, wie sie war.',
    },
  },
};
