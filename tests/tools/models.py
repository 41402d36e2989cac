"""The models that the tests of reports read."""

import os
import pathlib
import subprocess

CORPUS_MODELS = (
    "detection/blazeface_back_f16w.tflite",
    "detection/blazeface_front_float.tflite",
    "detection/blazeface_front_int8.tflite",
    "detection/blazeface_mlkit_v1.tflite",
    "detection/objectron_chair_640x480_int8.tflite",
    "detection/ssd_heads_postprocess_uint8.tflite",
    "detection/ssd_mobilenet_v1_uint8.tflite",
    "detection/ssd_mobilenet_v2_fpnlite_int8.tflite",
    "detection/ssd_slim_120x160_int8.tflite",
    "tflm_apps/person_detect_int8.tflite",
    "audio/visqol_lattice.tflite",
)


def corpus_folder(source):
    """Where corpus models are, or None."""
    for folder in (
        os.environ.get("ARENALITE_CORPUS"),
        pathlib.Path(source, "../shared/corpus"),
    ):
        if folder and pathlib.Path(folder, "models").is_dir():
            return pathlib.Path(folder, "models")
    return None


def written_models(tool, writer, folder):
    """Models that need no corpus, written into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([writer, folder], check=True)
    zoo = folder / "mobilenet_v1.tflite"
    subprocess.run(
        [tool, "zoo", "mobilenet_v1", "--int8", "--width", "0.25",
         "--resolution", "96", "-o", zoo],
        check=True, stderr=subprocess.DEVNULL,
    )
    return {
        "zoo": zoo,
        "kinds": folder / "kinds.tflite",
        "empty": folder / "empty.tflite",
        "hostile": folder / "hostile <b>&'.tflite",
    }


def corpus_models(source):
    """Those of CORPUS_MODELS that are there, by name."""
    folder = corpus_folder(source)
    paths = [folder / model for model in CORPUS_MODELS] if folder else []
    return {path.stem: path for path in paths if path.exists()}


def plan(tool, model, *arguments, suggestions=False):
    """What `plan` prints, as bytes."""
    more = [] if suggestions else ["--no-suggestions"]
    done = subprocess.run(
        [tool, "plan", model, *arguments, *more],
        capture_output=True, check=True,
    )
    return done.stdout
