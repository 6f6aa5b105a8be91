/** Objects by image, and behind `>` the report, for each odd file. */
export const hostileResults: Readonly<Record<string, readonly string[]>> = {
  'Labelbox NDJSON 1.0: numbers as texts': [
    '> line 1.projects.p.labels[0].annotations.objects[0].bounding_box.left: must be a number, but is "10"',
  ],
  'Labelbox NDJSON 1.0: label with blanks, comma and quotes': [
    'a.png: cat rectangle 10,10,30,30',
    '> line 1.projects.p.labels[0].annotations.objects[1]: rectangle: Label "a, "b"" is not registered for this task.',
  ],
  'Labelbox NDJSON 1.0: label is a number, null or missing': [
    '> line 1.projects.p.labels[0].annotations.objects[0].name: must be a string, but is 5',
    '> line 1.projects.p.labels[0].annotations.objects[1].name: must be a string, but is null',
    '> line 1.projects.p.labels[0].annotations.objects[2].name: must be a string, but is missing',
  ],
  'Labelbox NDJSON 1.0: objects of wrong types': [
    '> line 1.projects.p.labels[0].annotations.objects: must be a list, but is an object',
  ],
  'Labelbox NDJSON 1.0: lines of wrong types': [
    '> line 1.projects.p.labels[0].annotations.objects[0]: must be an object, but is null',
    '> line 1.projects.p.labels[0].annotations.objects[1]: must be an object, but is 5',
    '> line 1.projects.p.labels[0].annotations.objects[2]: must be an object, but is "x"',
    '> line 1.projects.p.labels[0].annotations.objects[3]: must be an object, but is a list',
  ],
  'Labelbox NDJSON 1.0: no labels list': ['> line 1.projects.p.labels: must be a list, but is an object'],
  'Labelbox NDJSON 1.0: projects is a list': ['> line 1.projects: must be an object, but is a list'],
  'Labelbox NDJSON 1.0: classifications of unknown kinds': [
    'a.png: cat rectangle 10,10,30,30 colour="red"',
    '> 1 attribute cat: An answer to "note" has no text.',
    '> 1 attribute cat: "note" has no answer.',
    '> 1 attribute cat: A classification has no name.',
    '> 1 attribute cat: An answer to "colour" has further questions, which a task has no field for.',
  ],
  'Labelbox NDJSON 1.0: relationships': [
    'a.png: cat rectangle 10,10,30,30',
    '> line 1.projects.p.labels[0].annotations.relationships[0]: links objects, which a task has no field for',
  ],
  'Labelbox NDJSON 1.0: box null beside a polygon': ['a.png: cat polygon 1,1,20,1,20,20'],
  'Labelbox NDJSON 1.0: box and polygon': [
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: A task has no field for the member "polygon".',
  ],
  'Labelbox NDJSON 1.0: outside of the image': [
    'a.png: cat rectangle 90,70,100,80',
    '> line 1.projects.p.labels[0].annotations.objects[1]: rectangle: it is outside its image: x 900 to 920, y 70 to 90, and the image has 100 × 80 pixels',
    '> 1 rectangle cat: It extends beyond its image: the part outside was cut off.',
  ],
  'Labelbox NDJSON 1.0: NaN': [
    'a.png: cat rectangle 10,10,30,30',
    '> line 1.projects.p.labels[0].annotations.objects[0].bounding_box.left: must be a number, but is null',
  ],
  'Labelbox NDJSON 1.0: 1e999 and a member NaN': [
    'a.png: cat rectangle 10,10,30,30',
    '> line 1.projects.p.labels[0].annotations.objects[0].bounding_box.left: must be a number, but is Infinity',
  ],
  'Labelbox NDJSON 1.0: CRLF and UTF-16': ['a.png: cat rectangle 10,10,30,30'],
  'Labelbox NDJSON 1.0: URL and encoded names': ['b/c d.png: cat rectangle 10,10,30,30'],
  'Labelbox NDJSON 1.0: Windows path': ['two/x.png: cat rectangle 10,10,30,30'],
  'Labelbox NDJSON 1.0: ambiguous name': [
    '> line 1: "x.png" is not in the task: its 1 objects were left out',
    '> The file has image names that match several images equally, and their objects were left out: "x.png". Give the images different names, or add their folders in the file.',
  ],
  'Labelbox NDJSON 1.0: Windows-1252': [
    '> refused: Cannot read l.ndjson: its text is not UTF-8. It looks like windows-1252. Choose its text encoding (--encoding windows-1252 on the command line) and import again. Nothing was imported.',
  ],
  'Labelbox NDJSON 1.0: empty': [],
  'BDD100K 1.0: scores': [
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    '> 2 attribute cat: Scores must be from 0 to 1.',
  ],
  'BDD100K 1.0: box and polygon': [
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: A task has no field for the member "poly2d".',
  ],
  'BDD100K 1.0: occluded in words': [
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: The value of "occluded" is neither true nor false.',
  ],
  'BDD100K 1.0: attributes of wrong types': [
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: Its attributes must be an object, but are a list.',
    '> 1 attribute cat: The attribute "note" is neither a string, a number nor a boolean.',
    '> 1 attribute cat: Its attributes must be an object, but are "red".',
  ],
  'BDD100K 1.0: labels is a dict': [
    '> refused: l.json has no labels of BDD100K: a JSON list of images with "name" and "labels", or a file for each with "frames". Nothing was imported.',
  ],
  'BDD100K 1.0: members null': ['a.png: cat polygon 10,10,30,10,30,30,10,30'],
  'BDD100K 1.0: vertices flat and as texts': [
    '> [0].labels[0].poly2d[0].vertices[0]: must be two numbers, x and y, but is 1',
    '> [0].labels[1].poly2d[0].vertices[0]: must be two numbers, x and y, but is a list',
  ],
  'BDD100K 1.0: rle': [
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: A task has no field for the member "rle".',
  ],
  'BDD100K 1.0: frame attributes and video': [
    'a.png: cat rectangle 10,10,30,30',
    '> [0].attributes: a frame has no attributes: weather',
    '> These members of images were left out: videoName, frameIndex.',
  ],
  'BDD100K 1.0: duplicate ids': ['a.png: cat rectangle 10,10,30,30', 'a.png: dog rectangle 10,10,30,30'],
  'VIA JSON 2.0: radius negative': [
    'a.png: cat ellipse 30,30,40,20',
    'a.png: cat rectangle 0,10,10,30',
    '> 1 rectangle cat: It extends beyond its image: the part outside was cut off.',
  ],
  'VIA JSON 2.0: angle as text': ['> a.png1.regions[0].shape_attributes.theta: must be a number, but is "1"'],
  'VIA JSON 2.0: attribute list and null': [
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    '> 2 attribute cat: The attribute "note" is neither a string, a number nor a boolean.',
  ],
  'VIA JSON 2.0: label of an unusual attribute': [
    'a.png: cat rectangle 10,10,30,30 note="x"',
    '> The labels of some regions were read from the attribute "Sorte".',
  ],
  'VIA JSON 2.0: regions is a text': ['> a.png1.regions: must be a list, but is "none"'],
  'VIA JSON 2.0: filename is null': ['a.png: cat rectangle 10,10,30,30', '> a.filename: must be a string, but is null'],
  'VIA JSON 2.0: unknown member of the region': [
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: A task has no field for the member "note".',
    '> 1 attribute cat: A task has no field for the member "angle".',
  ],
  'VIA JSON 2.0: CSV with shifted fields': [
    'a.png: cat rectangle 10,10,30,30',
    '> line 3: the row has 8 fields for 7 columns: does a number have a decimal comma?',
  ],
  'VIA JSON 2.0: CSV with image attributes on a later row': [
    'a.png: cat rectangle 10,10,30,30',
    '> line 2.file_attributes.weather: a frame has no attributes: it was left out',
  ],
  'FiftyOne 1.0: confidence': [
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    '> 2 attribute cat: Scores must be from 0 to 1.',
  ],
  'FiftyOne 1.0: names with extension': ['a.png: cat rectangle 10,10,30,30', 'b/c d.png: dog tag'],
  'FiftyOne 1.0: class numbers outside': [
    '> labels.a.[0].label: must be a label or a class number, but is 7',
    '> labels.a.[1].label: must be a label or a class number, but is -1',
    '> labels.a.[2]: rectangle: Label "0" is not registered for this task.',
  ],
  'FiftyOne 1.0: attributes of wrong types': [
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: Its attributes must be an object, but are a list.',
    '> 1 attribute cat: The attribute "note" is neither a string, a number nor a boolean.',
  ],
  'FiftyOne 1.0: labels is a list': [
    '> refused: labels.json has no labels of FiftyOne: JSON with "classes" and an object "labels". Nothing was imported.',
  ],
  'FiftyOne 1.0: classes behind the labels': ['a.png: dog rectangle 10,10,30,30'],
  'FiftyOne 1.0: confidence and mask of a class': [
    'a.png: cat tag',
    '> 1 attribute cat: A task has no field for the member "mask".',
    '> 1 attribute cat: Image-level labels have no confidence.',
  ],
  'Hugging Face ImageFolder 1.0: lists of different lengths': [
    'a.png: cat rectangle 10,10,30,30',
    '> line 1.objects.bbox[1].label: must be a string or a number, but is missing',
  ],
  'Hugging Face ImageFolder 1.0: bbox as texts': [
    '> line 1.objects.bbox[0]: must be four numbers: x, y, width, height',
  ],
  'Hugging Face ImageFolder 1.0: objects has a scalar': ['> line 1.objects.categories: must be a list, but is "cat"'],
  'Hugging Face ImageFolder 1.0: category and label': [
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: A task has no field for the member "label".',
  ],
  'Hugging Face ImageFolder 1.0: NaN': ['a.png: cat rectangle 10,10,30,30'],
  'Hugging Face ImageFolder 1.0: label of wrong types': [
    '> line 1.label.label: must be a string or a number, but is true',
    '> line 1.labels.label: must be a string or a number, but is an object',
    '> line 1.labels: tag: Label "1.5" is not registered for this task.',
    '> line 1.labels.label: must be a string or a number, but is ""',
  ],
  'Hugging Face ImageFolder 1.0: unread members': [
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: A task has no field for the member "score".',
    '> 1 attribute cat: A task has no field for the member "iscrowd".',
    '> These members of images were left out: caption.',
  ],
  'Hugging Face ImageFolder 1.0: csv cell with Python text': [
    "> line 2.objects: must be an object, but is \"{'bbox': [[10, 10, 20, 20]], 'categories': ['cat']}\"",
  ],
  'Hugging Face ImageFolder 1.0: csv with sizes': [
    'a.png: cat tag',
    '> 1 files have another size than their images; their coordinates were not scaled: train/metadata.csv has 80 × 100 pixels for 100 × 80.',
  ],
  'PaddleOCR 1.0: values of wrong types': [
    'a.png: text rectangle 10,10,30,30',
    '> line 1.texts[0]: rectangle: Label "5" is not registered for this task.',
    '> 1 attribute text: The label has no attribute "difficult".',
  ],
  'PaddleOCR 1.0: points of two corners, texts and NaN': [
    '> line 1.texts[0]: polygon: a polygon cannot have 4 numbers',
    '> line 1.texts[1].points[0]: must be two numbers, x and y, but is a list',
  ],
  'PaddleOCR 1.0: NaN score': ['a.png: text rectangle 10,10,30,30 transcription="x"'],
  'PaddleOCR 1.0: score and unknown members': [
    'a.png: text rectangle 10,10,30,30 transcription="x"',
    '> 1 attribute text: A task has no field for the member "score".',
    '> 1 attribute text: A task has no field for the member "illegibility".',
  ],
  'PaddleOCR 1.0: Windows path': ['two/x.png: text rectangle 10,10,30,30 transcription="x"'],
  'PaddleOCR 1.0: GBK': [
    '> refused: Cannot read Label.txt: its text is not UTF-8. It looks like gbk. Choose its text encoding (--encoding gbk on the command line) and import again. Nothing was imported.',
  ],
  'Supervisely 1.0: tags of wrong types': [
    'a.png: cat rectangle 10,10,30,30 colour="red"',
    '> 1 attribute cat: The attribute "note" is neither a string, a number nor a boolean.',
    '> 1 attribute cat: A tag has no name.',
    '> 1 attribute cat: The label has no attribute "red".',
  ],
  'Supervisely 1.0: image tag with a value': [
    'a.png: cat tag',
    'a.png: dog tag',
    '> tags[2].name: must be a string, but is missing',
    '> 1 tag cat: An image-level label has no value: "x" was left out.',
  ],
  'Supervisely 1.0: descriptions': [
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: A task has no field for the member "description".',
    '> 1 attribute cat: A task has no field for the member "customBigData".',
    '> These members of images were left out: description.',
  ],
  'Supervisely 1.0: interior of wrong type': ['> objects[0].points.interior: must be a list, but is "x"'],
  'Supervisely 1.0: rectangle with four corners and numbers as texts': [
    '> objects[0].points.exterior: must be two corners',
    '> objects[1].points.exterior[0]: must be two numbers, x and y, but is a list',
  ],
  'Supervisely 1.0: bitmap origin as text': ['> objects[0].bitmap.origin: must be two numbers'],
  'SuperAnnotate JSON 1.0: attributes of wrong types': [
    'a.png: cat rectangle 10,10,30,30 colour="red"',
    '> instances[1].attributes: must be a list, but is an object',
    '> 2 attribute cat: An attribute has no name.',
  ],
  'SuperAnnotate JSON 1.0: probability': [
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    '> 2 attribute cat: Scores must be from 0 to 100.',
  ],
  'SuperAnnotate JSON 1.0: angle, radii': [
    'a.png: cat ellipse 30,30,40,25',
    '> instances[1].angle: must be a number, but is "30"',
  ],
  'SuperAnnotate JSON 1.0: exclude of wrong type and point labels': [
    'a.png: cat rectangle 10,10,30,30',
    '> instances[0].exclude: must be a list, but is "x"',
    '> 1 attribute cat: A task has no field for the member "pointLabels".',
  ],
  'SuperAnnotate JSON 1.0: odd points': [
    '> instances[0]: polygon: a polygon cannot have 5 numbers',
    '> instances[1].points: must be a list of numbers, but is a list',
  ],
  'SuperAnnotate JSON 1.0: tags and comments': [
    'a.png: cat tag',
    '> tags[1].className: must be a string, but is 5',
    '> These members of images were left out: comments.',
  ],
  'VoTT JSON 1.0: tags of wrong types': [
    'a.png: cat rectangle 10,10,30,30',
    '> assets.x.regions[0].tags[1]: must be a string, but is 5',
    '> assets.x.regions[0].tags[2]: must be a string, but is null',
    '> assets.x.regions[1].tags: must be a list, but is "cat"',
  ],
  'VoTT JSON 1.0: points as texts, box good': [
    '> assets.x.regions[0].points[0]: must be two numbers, x and y, but is an object',
  ],
  'VoTT JSON 1.0: asset members': [
    'a.png: cat rectangle 10,10,30,30',
    '> These members of images were left out: timestamp, parent.',
  ],
  'VoTT JSON 1.0: regions is a dict': ['> assets.x.regions: must be a list, but is an object'],
  'VoTT JSON 1.0: negative box': ['a.png: cat rectangle 10,10,30,30'],
  'CreateML 1.0: confidence': [
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    '> 2 attribute cat: Scores must be from 0 to 1.',
  ],
  'CreateML 1.0: image members': [
    'a.png: cat rectangle 10,10,30,30',
    '> These members of images were left out: verified, source.',
  ],
  'CreateML 1.0: coordinates as texts': [
    '> [0].annotations[0].coordinates: must have four numbers: x, y, width and height',
  ],
  'CreateML 1.0: annotations is a dict': ['> [0].annotations[0].coordinates: must be an object, but is missing'],
  'Open Images V6 1.0: hexadecimal and infinite numbers': [
    '> line 2: XMin is not a number',
    '> line 3: XMin is not a number',
  ],
  'Open Images V6 1.0: confidence and flags': [
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: The value of "IsOccluded" is neither true nor false.',
    '> 3 attribute cat: Scores must be from 0 to 1.',
    '> 1 attribute cat: The value of "IsTruncated" is neither true nor false.',
  ],
  'Open Images V6 1.0: unquoted comma in a class': [
    '> line 1: the row has 3 fields for 2 columns: write "quotes" around a name with a comma',
    '> line 2: the row has 3 fields for 2 columns: write "quotes" around a name with a comma',
    '> line 2: rectangle: Label "/m/1" is not registered for this task.',
    '> line 3: rectangle: Label "/m/2" is not registered for this task.',
  ],
  'Open Images V6 1.0: two classes of one name': [
    'a.png: cat rectangle 10,10,30,30',
    'a.png: cat rectangle 10,10,30,30',
    '> annotations/class-descriptions.csv has several classes with one name, whose objects get one label: "cat" (/m/1, /m/2).',
  ],
  'Open Images V6 1.0: ImageID with extension and folder': [
    'a.png: cat rectangle 10,10,30,30',
    '> line 3: image "x" is not in the task: its box was left out',
    '> The file has image names that match several images equally, and their objects were left out: "x.jpg". Give the images different names, or add their folders in the file.',
  ],
  'MOT 1.1: semicolons and decimal commas': [
    '> line 1: commas and semicolons are mixed: does a number have a decimal comma?',
  ],
  'MOT 1.1: visibility and flags': [
    '000001.png: cat rectangle 10,10,30,30',
    '000001.png: cat rectangle 10,10,30,30',
    '000001.png: cat rectangle 10,10,30,30',
    '> 1 attribute cat: MOT has 0 or 1 as the flag of a box: others count as 1.',
    '> 1 attribute cat: MOT has a visibility from 0 to 1.',
  ],
  'MOT 1.1: places in space': [
    '> line 1: rectangle: Label "object" is not registered for this task.',
    '> 1 attribute object: A task has no places in space.',
  ],
  'MOT 1.1: labels with an empty line and twice': [
    '000001.png: dog rectangle 10,10,30,30',
    '000001.png: cat rectangle 10,10,30,30',
    '> gt/labels.txt has several classes with one name, whose objects get one label: "cat" (1, 4).',
  ],
  'MOT 1.1: header and hexadecimal': ['> line 1: "frame" is not a number', '> line 2: "0x1" is not a number'],
  'Labelbox NDJSON 1.0: Windows-1252, stated': [
    'a.png: cat rectangle 10,10,30,30',
    '> line 1.projects.p.labels[0].annotations.objects[1]: rectangle: Label "Käse" is not registered for this task.',
  ],
  'BDD100K 1.0: Windows-1252': [
    '> [0]: is not valid JSON (the text is not valid UTF-8: choose its text encoding (--encoding on the command line))',
  ],
  'BDD100K 1.0: Windows-1252, stated': ['> [0].labels[0]: rectangle: Label "Käse" is not registered for this task.'],
  'BDD100K 1.0: UTF-8 with another encoding stated': [
    '> [0].labels[0]: rectangle: Label "Käse" is not registered for this task.',
  ],
  'VIA JSON 2.0: GBK, stated': ['a.png: cat rectangle 10,10,30,30 note="汽车"'],
  'TFRecord 1.0: members that are not read, scores and NaN': [
    'a.png: cat rectangle 10,10,30,30',
    '> record 2, box 0: has a side that is not a number',
    '> record 3, box 0: 10 is outside 0 to 1: these look like pixels, not like fractions of the image',
    '> 1 attribute cat: A task has no field for the member "image/object/difficult".',
    '> 1 attribute cat: A task has no field for the member "image/object/mask".',
  ],
  'TFRecord 1.0: names by URL, Windows path and folder': [
    'b/c d.png: cat rectangle 10,10,30,30',
    'two/x.png: cat rectangle 10,10,30,30',
    '> record 3: image "x.png" is not in the task: its 1 objects were left out',
    '> The file has image names that match several images equally, and their objects were left out: "x.png". Give the images different names, or add their folders in the file.',
  ],
  'TFRecord 1.0: class of another encoding': [
    '> refused: Cannot read train.tfrecord, record 1: its text is not UTF-8. It looks like windows-1252. Choose its text encoding (--encoding windows-1252 on the command line) and import again. Nothing was imported.',
  ],
  'TFRecord 1.0: a label map with escapes, comments and braces': [
    'a.png: cat rectangle 10,10,30,30',
    '> record 1, box 0: rectangle: Label "a}b" is not registered for this task.',
    '> record 2, box 0: rectangle: Label "Käse" is not registered for this task.',
  ],
  'TFRecord 1.0: two label maps that differ': [
    '> refused: Cannot tell the class 1: the label maps name it "cat" and "dog". Import each dataset with its own label map. Nothing was imported.',
  ],
  'TFRecord 1.0: class numbers without a label map': [
    '> record 1, box 0: rectangle: Label "1" is not registered for this task.',
  ],
  'Labelbox NDJSON 1.0: an empty file': [],
  'BDD100K 1.0: an empty file': [
    '> refused: l.json has no labels of BDD100K: a JSON list of images with "name" and "labels", or a file for each with "frames". Nothing was imported.',
  ],
  'VIA JSON 2.0: an empty file': [
    '> refused: l.json has no annotations of VIA: JSON with "regions" for each image, or a table with "region_shape_attributes". Nothing was imported.',
  ],
  'FiftyOne 1.0: an empty file': [
    '> refused: l.json has no labels of FiftyOne: JSON with "classes" and an object "labels". Nothing was imported.',
  ],
  'PaddleOCR 1.0: an empty file': [
    '> refused: Label.txt has no label file of PaddleOCR: lines of a path, a tab and a JSON list of texts. Nothing was imported.',
  ],
  'Supervisely 1.0: an empty file': [
    '> refused: l.json has no Supervisely files: JSON about one image, with "size" and "objects". Nothing was imported.',
  ],
  'SuperAnnotate JSON 1.0: an empty file': [
    '> refused: l.json has no SuperAnnotate files: JSON about one image, with "metadata" and "instances". Nothing was imported.',
  ],
  'VoTT JSON 1.0: an empty file': [
    '> refused: l.json has no VoTT annotations: JSON with "assets", or with "asset" and "regions". Nothing was imported.',
  ],
  'CreateML 1.0: an empty file': [
    '> refused: l.json has no list of CreateML: JSON with "image" and "annotations" for each image. Nothing was imported.',
  ],
  'MOT 1.1: an empty file': [],
};
