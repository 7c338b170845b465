"""A Google Drive v3 server on loopback, for trying the product without Google and for proving the crawler.

    with DriveEmulator(Path("samples")) as drive:
        service = build("drive", "v3", credentials=..., client_options={"api_endpoint": drive.api_endpoint})

It answers about.get, changes.getStartPageToken, changes.list, drives.get, drives.list, files.export, files.get
(with alt=media), files.list, permissions.list, export links, and OAuth; parameters, defaults and fields are those of
the API definition that google-api-python-client brings along. It writes nothing and changes no file.
"""

from locator_search.dev.drive_emulator.drive.items import Role
from locator_search.dev.drive_emulator.drive.tree import Announce
from locator_search.dev.drive_emulator.emulator import DriveEmulator
from locator_search.dev.drive_emulator.faults import Fault, FaultPlan, FaultRule, read_plan
from locator_search.dev.drive_emulator.request_log import Request

__all__ = ["Announce", "DriveEmulator", "Fault", "FaultPlan", "FaultRule", "Request", "Role", "read_plan"]
