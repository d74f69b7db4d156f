print("refold")
